/** What is left of a caller's allowance after a call. */
export interface Allowance {
  readonly allowed: boolean;
  /** Calls that may follow at once. */
  readonly remaining: number;
  /** Seconds until the allowance is whole again; for a refused call, until one is allowed. */
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const MOST_BUCKETS = 10_000;

/**
 * Allows each caller a number of calls a minute: all at once or spread out (a token bucket).
 *
 * Responsible for bounded memory: the callers that called last are remembered. Who is forgotten starts with a whole
 * allowance, which only somebody with ten thousand identities could make use of.
 */
export class RateLimiter {
  readonly perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.perMinute = perMinute;
    this.#now = now;
  }

  /** Callers that are remembered. */
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
    // Taken out and put back: the map's order is that of the last calls.
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
