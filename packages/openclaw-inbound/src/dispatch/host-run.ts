import type { HostApproval } from '../approvals/approval-desk.ts';
import type { HostEvent, HostTurn, HostTurnEnd } from '../host/host-turn.ts';
import type { Host } from '../host/host.ts';

/**
 * One turn of the host while it runs.
 *
 * Responsible for giving its events in order to whoever reads them, at the reader's own speed; the text of an assistant
 * message that nobody has read yet is replaced by a newer one. A run may outlive the reader: the turn that reads next gets
 * what came in between. The host may wait until what it told has been dealt with, but only while somebody reads. Leaves what
 * the events mean to the turn's writer.
 */
export class HostRun {
  readonly #events: HostEvent[] = [];
  readonly #abort = new AbortController();
  #end: Promise<HostTurnEnd>;
  #hasEnded = false;
  #reader: 'at work' | 'waiting' | 'gone' = 'at work';
  #wake: () => void = () => {};
  readonly #askedFor: (() => void)[] = [];
  readonly #settledApprovals = new Set<string>();

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
    // Looked at by whoever reads the run to its end, which may be later.
    this.#end.catch(() => {});
  }

  /** Nothing more happens in the host; events may be left to read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The question still waits for a decision. */
  isOpen({ approvalId }: HostApproval): boolean {
    return !this.#hasEnded && !this.#settledApprovals.has(approvalId);
  }

  /** How the run ended; rejects with what the host threw. */
  get ended(): Promise<HostTurnEnd> {
    return this.#end;
  }

  /**
   * The next event; undefined when the run has ended and all were read. One reader at a time: asking for more says that
   * what came before is on disk.
   */
  async next(): Promise<HostEvent | undefined> {
    while (this.#events.length === 0) {
      this.#become('waiting');
      if (this.#hasEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#reader = 'at work';
    return this.#events.shift();
  }

  /** Nobody reads for now. */
  leave(): void {
    this.#become('gone');
  }

  /** Ends the model's request and the tool that runs. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  #add(event: HostEvent): void {
    if (event.kind === 'approval-settled') this.#settledApprovals.add(event.approvalId);
    const last = this.#events.at(-1);
    if (event.kind === 'partial-text' && last?.kind === 'partial-text') this.#events.pop();
    this.#events.push(event);
    this.#wake();
  }

  /** Resolves when the reader has dealt with everything told so far, or leaves. */
  async #written(): Promise<void> {
    const isRead = this.#reader === 'waiting' && this.#events.length === 0;
    if (isRead || this.#reader === 'gone') return;
    await new Promise<void>((resolve) => this.#askedFor.push(resolve));
  }

  #become(reader: 'waiting' | 'gone'): void {
    this.#reader = reader;
    for (const resolve of this.#askedFor.splice(0)) resolve();
  }
}
