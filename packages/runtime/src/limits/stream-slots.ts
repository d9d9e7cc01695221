import { A2AError } from '@holdword/protocol';
import { LIMIT_METADATA } from '../observe/request-observation.ts';

export interface StreamSlotsOptions {
  /** Concurrent streams of all callers. */
  total: number;
  /** Concurrent streams of one caller. */
  perCaller: number;
}

/** Limits concurrent streams, per caller and in total, and rejects one too many before its work has started. */
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

  /** Takes a slot and returns the function that releases it. If `caller` is undefined, only the total counts. */
  take(caller: string | undefined): () => void {
    const { total, perCaller } = this.#options;
    if (this.#open >= total) throw tooManyStreams('streams', `this server has ${total} open streams`);
    const own = caller === undefined ? 0 : (this.#byCaller.get(caller) ?? 0);
    if (caller !== undefined && own >= perCaller)
      throw tooManyStreams('streamsPerCaller', `you have ${perCaller} open streams`);
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
    `Too many streams: ${found}, which is the limit. Close one, or poll the task.`,
    { metadata: { [LIMIT_METADATA]: limit }, retryAfterSeconds: 5 },
  );
}
