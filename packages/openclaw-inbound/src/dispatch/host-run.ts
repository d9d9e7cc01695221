import type { ApprovalSettlement, HostApproval } from '../host/approvals.ts';
import type { Host, HostEvent, HostTurn, HostTurnEnd } from '../host/host.ts';

/**
 * A running turn of the host.
 *
 * Responsible for delivering its events in order, at the reader's speed; unread partial text is replaced by newer text. A run
 * may outlive its reader: the next turn that reads gets the events in between. The host can wait until its events are
 * processed, but only while there is a reader. Leaves the meaning of the events to the turn's writer.
 */
export class HostRun {
  readonly #events: HostEvent[] = [];
  readonly #abort = new AbortController();
  #end: Promise<HostTurnEnd>;
  #hasEnded = false;
  #reader: 'busy' | 'waiting' | 'detached' = 'busy';
  #wake: () => void = () => {};
  readonly #onProcessed: (() => void)[] = [];
  readonly #settledApprovals = new Map<string, ApprovalSettlement>();

  constructor(host: Pick<Host, 'dispatch'>, turn: Omit<HostTurn, 'signal' | 'onEvent' | 'written'>) {
    this.#end = host
      .dispatch({
        ...turn,
        signal: this.#abort.signal,
        onEvent: (event) => this.#add(event),
        written: () => this.#written(),
      })
      .finally(() => {
        this.#hasEnded = true;
        this.#wake();
      });
    // Handled by the reader of `ended`, which may come later.
    this.#end.catch(() => {});
  }

  /** Whether the host is done; there may still be unread events. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the approval is still undecided. */
  isOpen({ approvalId }: HostApproval): boolean {
    return !this.#hasEnded && !this.#settledApprovals.has(approvalId);
  }

  /** Whether nobody decided in time. */
  hasExpired({ approvalId }: HostApproval): boolean {
    return this.#settledApprovals.get(approvalId) === 'expired';
  }

  /** How the run ended; rejects with the host's error. */
  get ended(): Promise<HostTurnEnd> {
    return this.#end;
  }

  /**
   * The next event; undefined when the run has ended and all events were read. There is one reader at a time; asking for the
   * next event means that the previous one is on disk.
   */
  async next(): Promise<HostEvent | undefined> {
    while (this.#events.length === 0) {
      this.#setReader('waiting');
      if (this.#hasEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#reader = 'busy';
    return this.#events.shift();
  }

  /** The reader stops reading; another one may follow. */
  detach(): void {
    this.#setReader('detached');
  }

  /** Aborts the model request and the running tool. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  #add(event: HostEvent): void {
    if (event.kind === 'approval-settled') this.#settledApprovals.set(event.approvalId, event.how);
    const last = this.#events.at(-1);
    if (event.kind === 'partial-text' && last?.kind === 'partial-text') this.#events.pop();
    this.#events.push(event);
    this.#wake();
  }

  /** Resolves when the reader has processed all events so far, or has detached. */
  async #written(): Promise<void> {
    const isRead = this.#reader === 'waiting' && this.#events.length === 0;
    if (isRead || this.#reader === 'detached') return;
    await new Promise<void>((resolve) => this.#onProcessed.push(resolve));
  }

  #setReader(reader: 'waiting' | 'detached'): void {
    this.#reader = reader;
    for (const resolve of this.#onProcessed.splice(0)) resolve();
  }
}
