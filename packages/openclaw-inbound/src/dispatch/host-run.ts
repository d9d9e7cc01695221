import type { HostEvent, HostTurn, HostTurnEnd } from '../host/host-turn.ts';
import type { Host } from '../host/host.ts';

/**
 * One turn of the host while it runs.
 *
 * Responsible for giving its events in order to whoever reads them, at the reader's own speed; the text of an assistant
 * message that nobody has read yet is replaced by a newer one. A run may outlive the reader: the turn that reads next gets
 * what came in between. Leaves what the events mean to the turn's writer.
 */
export class HostRun {
  readonly #events: HostEvent[] = [];
  readonly #abort = new AbortController();
  #end: Promise<HostTurnEnd>;
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(host: Pick<Host, 'dispatch'>, turn: Omit<HostTurn, 'signal' | 'onEvent'>) {
    this.#end = host
      .dispatch({ ...turn, signal: this.#abort.signal, onEvent: (event) => this.#add(event) })
      .finally(() => {
        this.#hasEnded = true;
        this.#wake();
      });
    // Looked at by whoever reads the run to its end, which may be later.
    this.#end.catch(() => {});
  }

  /** How the run ended; rejects with what the host threw. */
  get ended(): Promise<HostTurnEnd> {
    return this.#end;
  }

  /** The next event; undefined when the run has ended and all were read. One reader at a time. */
  async next(): Promise<HostEvent | undefined> {
    while (this.#events.length === 0) {
      if (this.#hasEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#events.shift();
  }

  /** Ends the model's request and the tool that runs. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  #add(event: HostEvent): void {
    const last = this.#events.at(-1);
    if (event.kind === 'partial-text' && last?.kind === 'partial-text') this.#events.pop();
    this.#events.push(event);
    this.#wake();
  }
}
