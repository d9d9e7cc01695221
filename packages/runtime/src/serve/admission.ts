import { A2AError } from '@holdword/protocol';
import { RateLimiter, type Allowance } from '../limits/rate-limiter.ts';
import { StreamSlots } from '../limits/stream-slots.ts';
import { LIMIT_METADATA } from '../observe/request-observation.ts';
import type { Caller } from './auth/authentication.ts';
import { CredentialWatch } from './auth/credential-watch.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';

/** What a caller has left, with the limit it belongs to. */
export interface CallerAllowance extends Allowance {
  readonly perMinute: number;
}

/**
 * How much one caller may ask of a server, and how long it may go on reading, over all its bindings together. Callers
 * without a credential are all the same one, mostly somebody on this machine, so that what is meant for each caller does
 * not apply to them; where they come from elsewhere, whoever let them in gives them a rate.
 */
export class Admission {
  readonly #rate: RateLimiter | undefined;
  /** For callers with a rate of their own, by that rate. */
  readonly #ownRates = new Map<number, RateLimiter>();
  readonly #streams: StreamSlots;
  readonly #credentials = new CredentialWatch();

  constructor(limits: Limits = {}) {
    const { requestsPerMinute, streams, streamsPerCaller } = { ...DEFAULT_LIMITS, ...limits };
    this.#rate = requestsPerMinute === 0 ? undefined : new RateLimiter(requestsPerMinute);
    this.#streams = new StreamSlots({ total: streams, perCaller: streamsPerCaller });
  }

  get openStreams(): number {
    return this.#streams.open;
  }

  /** Counts a call. Undefined where calls are not limited. */
  count(caller: Caller): CallerAllowance | undefined {
    const rate = this.#rateOf(caller);
    return rate && { ...rate.take(identityOf(caller)), perMinute: rate.perMinute };
  }

  /**
   * Takes a place for a stream, which the function it gives leaves again. Calls `lapse` when the caller loses the right to
   * it before that.
   */
  openStream(caller: Caller, lapse: (error: A2AError) => void): () => void {
    const release = this.#streams.take(caller.authenticated ? identityOf(caller) : undefined);
    const forget = this.#credentials.watch(caller, lapse);
    if (forget === undefined) return release;
    return () => {
      forget();
      release();
    };
  }

  #rateOf({ requestsPerMinute, authenticated }: Caller): RateLimiter | undefined {
    if (requestsPerMinute === undefined) return authenticated ? this.#rate : undefined;
    const rate = this.#ownRates.get(requestsPerMinute) ?? new RateLimiter(requestsPerMinute);
    this.#ownRates.set(requestsPerMinute, rate);
    return rate;
  }
}

export function requireAllowance(allowance: CallerAllowance | undefined): void {
  if (allowance === undefined || allowance.allowed) return;
  throw new A2AError(
    'RESOURCE_EXHAUSTED',
    `Expected at most ${allowance.perMinute} calls a minute, found more. Wait before the next one.`,
    {
      metadata: { [LIMIT_METADATA]: 'requestsPerMinute' },
      retryAfterSeconds: Math.max(1, Math.ceil(allowance.resetSeconds)),
    },
  );
}

/** The tenant of the credential, not the one a request names: a caller must not get more by naming others. */
function identityOf({ tenant, id }: Caller): string {
  return tenant === undefined ? id : `${tenant}\n${id}`;
}
