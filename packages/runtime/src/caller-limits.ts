import { A2AError } from '@holdword/protocol';
import { LIMIT_METADATA } from './observe/observer.ts';

/** What is left of a caller's allowance after a request. */
export interface Allowance {
  readonly allowed: boolean;
  /** The number of requests that may follow immediately. */
  readonly remaining: number;
  /** Seconds until the allowance is full again; for a rejected request, until one is allowed. */
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const MOST_BUCKETS = 10_000;

/**
 * Allows each caller a number of requests per minute, all at once or spread out (a token bucket).
 *
 * Responsible for bounded memory: only the most recent callers are remembered. A forgotten caller starts with a full
 * allowance, which only someone with ten thousand identities could exploit.
 */
export class RateLimiter {
  readonly perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.perMinute = perMinute;
    this.#now = now;
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  take(caller: string): Allowance {
    const bucket = this.#bucketOf(caller);
    const perSecond = this.perMinute / 60;
    if (bucket.tokens < 1)
      return { allowed: false, remaining: 0, resetSeconds: (1 - bucket.tokens) / perSecond };
    bucket.tokens -= 1;
    return {
      allowed: true,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: (this.perMinute - bucket.tokens) / perSecond,
    };
  }

  #bucketOf(caller: string): Bucket {
    const now = this.#now();
    let bucket = this.#buckets.get(caller);
    if (bucket === undefined) bucket = { tokens: this.perMinute, filledAt: now };
    // Deleted and inserted again: the map is ordered by the last request.
    else this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    if (this.#buckets.size > MOST_BUCKETS) this.#forgetOldest();
    const gained = ((now - bucket.filledAt) / 60_000) * this.perMinute;
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + gained);
    bucket.filledAt = now;
    return bucket;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

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
