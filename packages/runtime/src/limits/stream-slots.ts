import { A2AError } from '@holdword/protocol';
import { LIMIT_METADATA } from '../observe/request-observation.ts';

export interface StreamSlotsOptions {
  /** Streams that may be open at once, of all callers. */
  total: number;
  /** Streams that one caller may have open. */
  perCaller: number;
}

/** Counts open streams, of each caller and in all, and refuses one too many before its work has begun. */
export class StreamSlots {
  readonly #options: StreamSlotsOptions;
  readonly #byCaller = new Map<string, number>();
  #open = 0;

  constructor(options: StreamSlotsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open;
  }

  /** Takes a place; the function it gives leaves it again. A caller that is undefined counts in the total alone. */
  take(caller: string | undefined): () => void {
    const { total, perCaller } = this.#options;
    if (this.#open >= total) throw tooManyStreams('streams', `${total} streams are open on this server`);
    const own = caller === undefined ? 0 : (this.#byCaller.get(caller) ?? 0);
    if (caller !== undefined && own >= perCaller)
      throw tooManyStreams('streamsPerCaller', `you have ${perCaller} streams open`);
    this.#open += 1;
    if (caller !== undefined) this.#byCaller.set(caller, own + 1);
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      this.#release(caller);
    };
  }

  #release(caller: string | undefined): void {
    this.#open -= 1;
    if (caller === undefined) return;
    const left = (this.#byCaller.get(caller) ?? 1) - 1;
    if (left === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, left);
  }
}

function tooManyStreams(limit: string, found: string): A2AError {
  return new A2AError(
    'RESOURCE_EXHAUSTED',
    `Expected a place for another stream, found that ${found}. Close one, or poll the task.`,
    { metadata: { [LIMIT_METADATA]: limit }, retryAfterSeconds: 5 },
  );
}
