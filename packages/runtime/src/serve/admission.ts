import { A2AError } from '@holdword/protocol';
import { DEFAULT_LIMITS } from '../defaults.ts';
import { RateLimiter, type Allowance, StreamSlots } from '../caller-limits.ts';
import { LIMIT_METADATA } from '../observe/request-observation.ts';
import type { Caller } from './auth/authentication.ts';
import { CredentialWatch } from './auth/credential-watch.ts';
import type { Limits } from './limits.ts';

/** What a caller has left, with the limit that applies. */
export interface CallerAllowance extends Allowance {
  readonly perMinute: number;
}

/**
 * How much one caller may request of a server, and how long it may keep reading, across all bindings.
 *
 * Callers without a credential count as one caller, usually someone on this machine, so per-caller limits do not apply
 * to them. If they come from other machines, the authentication that admitted them gives them a rate.
 */
export class Admission {
  readonly #rate: RateLimiter | undefined;
  /** For callers whose credential sets their rate, by that rate. */
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

  /** Counts a request. Undefined if requests are not limited. */
  count(caller: Caller): CallerAllowance | undefined {
    const rate = this.#rateOf(caller);
    return rate && { ...rate.take(identityOf(caller)), perMinute: rate.perMinute };
  }

  /**
   * Takes a slot for a stream and returns the function that releases it. Calls `lapse` if the caller loses access
   * before that.
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
    `Rate limit exceeded (${allowance.perMinute} requests per minute). Wait before the next request.`,
    {
      metadata: { [LIMIT_METADATA]: 'requestsPerMinute' },
      retryAfterSeconds: Math.max(1, Math.ceil(allowance.resetSeconds)),
    },
  );
}

/** The tenant of the credential, not the one that a request names: naming other tenants must not raise the limit. */
function identityOf({ tenant, id }: Caller): string {
  return tenant === undefined ? id : `${tenant}\n${id}`;
}
