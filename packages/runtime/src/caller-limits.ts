import { A2AError } from '@holdword/protocol';
import { FairShare } from './fair-slots.ts';
import { LIMIT_METADATA, LIMIT_SCOPE_METADATA, type LimitScope } from './observe/observer.ts';

/** The error of a caller that exceeds a limit. It names the limit, and whether the caller or all callers together used it up. */
export function limitExceeded(
  { limit, scope, retryAfterSeconds }: { limit: string; scope: LimitScope; retryAfterSeconds?: number },
  message: string,
): A2AError {
  return new A2AError('RESOURCE_EXHAUSTED', message, {
    metadata: { [LIMIT_METADATA]: limit, [LIMIT_SCOPE_METADATA]: scope },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

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
  /** How much of the total is kept for callers who use little of it. */
  reservedPercent: number;
  /** What is counted, for errors: streams, or blocking requests. */
  what: 'streams' | 'blocking requests';
}

/**
 * Limits what is open at the same time, per caller and in total, and rejects one too many before its work has started. A
 * part of the total is kept for callers who use little of it.
 */
export class StreamSlots {
  readonly #options: StreamSlotsOptions;
  readonly #share: FairShare;
  readonly #byCaller = new Map<string, number>();
  #open = 0;

  constructor(options: StreamSlotsOptions) {
    this.#options = options;
    this.#share = new FairShare(options.total, options.reservedPercent);
  }

  get open(): number {
    return this.#open;
  }

  /** Takes a slot and returns the function that releases it. If `caller` is undefined, only the total counts. */
  take(caller: string | undefined): () => void {
    const { total, perCaller, what } = this.#options;
    const own = caller === undefined ? 0 : (this.#byCaller.get(caller) ?? 0);
    if (this.#open >= total)
      throw this.#tooMany('streams', 'server', `this server has ${total} open ${what}, which is the limit`);
    if (caller !== undefined && own >= perCaller)
      throw this.#tooMany('streamsPerCaller', 'caller', `you have ${own} open ${what}, which is your limit`);
    if (caller !== undefined && !this.#share.allows(this.#open, own)) {
      const scope = this.#share.usedUpBy(this.#open, own);
      const taken =
        scope === 'caller'
          ? `you have ${own} open ${what}`
          : `this server has ${this.#open} open ${what}, ${own} of them yours`;
      const found = `${taken}, and the last ${this.#share.reserved} of ${total} are for callers with fewer`;
      throw this.#tooMany('streams', scope, found);
    }
    this.#open += 1;
    if (caller !== undefined) this.#byCaller.set(caller, own + 1);
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      this.#release(caller);
    };
  }

  #tooMany(limit: string, scope: LimitScope, found: string): A2AError {
    const { what } = this.#options;
    return limitExceeded(
      { limit, scope, retryAfterSeconds: 5 },
      what === 'streams'
        ? `Too many streams: ${found}. Close one, or poll the task.`
        : `Too many blocking requests: ${found}. Wait for one, or send with returnImmediately and poll the task.`,
    );
  }

  #release(caller: string | undefined): void {
    this.#open -= 1;
    if (caller === undefined) return;
    const left = (this.#byCaller.get(caller) ?? 1) - 1;
    if (left === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, left);
  }
}
