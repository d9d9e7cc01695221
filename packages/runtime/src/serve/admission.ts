import type { ServerResponse } from 'node:http';
import type { A2AError } from '@holdword/protocol';
import { limitExceeded, RateLimiter, StreamSlots, type Allowance } from '../caller-limits.ts';
import { DEFAULT_LIMITS } from '../defaults.ts';
import type { RequestObservation } from '../observe/observer.ts';
import {
  requireCaller,
  refusedCredential,
  type Authentication,
  type Caller,
  type RequestHeaders,
} from './auth/authentication.ts';
import type { Limits } from './limits.ts';

/** Admits a request of any binding: authenticates the caller and applies its rate limit. Over HTTP, tells the limit. */
export async function admitRequest(
  { authentication, admission }: { readonly authentication: Authentication; readonly admission: Admission },
  observation: RequestObservation,
  headers: RequestHeaders,
  response?: ServerResponse,
): Promise<Caller> {
  const caller = await requireCaller(authentication, headers);
  observation.caller = caller.id;
  observation.tenant = caller.tenant;
  const allowance = admission.count(caller);
  if (response !== undefined && allowance !== undefined) tellAllowance(response, allowance);
  requireAllowance(allowance);
  return caller;
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers. */
function tellAllowance(
  response: ServerResponse,
  { perMinute, remaining, resetSeconds }: CallerAllowance,
): void {
  response.setHeader('RateLimit-Policy', `"caller";q=${perMinute};w=60`);
  response.setHeader('RateLimit', `"caller";r=${remaining};t=${Math.ceil(resetSeconds)}`);
}

/** What a caller has left, with the limit that applies. */
interface CallerAllowance extends Allowance {
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
  readonly #blocking: StreamSlots;
  readonly #credentials = new CredentialWatch();
  readonly #longPolls: LongPolls;

  constructor(limits: Limits = {}) {
    const { requestsPerMinute, streams, streamsPerCaller, reservedPercent, longPollSeconds } = {
      ...DEFAULT_LIMITS,
      ...limits,
    };
    this.#rate = requestsPerMinute === 0 ? undefined : new RateLimiter(requestsPerMinute);
    const slots = { total: streams, perCaller: streamsPerCaller, reservedPercent };
    this.#streams = new StreamSlots({ ...slots, what: 'streams' });
    this.#blocking = new StreamSlots({ ...slots, what: 'blocking requests' });
    this.#longPolls = new LongPolls(longPollSeconds * 1000);
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

  /**
   * Takes a slot of a stream for a request that waits for a change of a task, and returns the function that releases it. Calls
   * `end` without an error when the request has waited long enough or the server stops, and with one if the caller loses access.
   */
  openLongPoll(caller: Caller, end: (error?: A2AError) => void): () => void {
    const release = this.openStream(caller, end);
    const forget = this.#longPolls.add(end);
    return () => {
      forget();
      release();
    };
  }

  /** The server stops: requests that wait for a change of a task get the task as it is, now and from now on. */
  endLongPolls(): void {
    this.#longPolls.endAll();
  }

  /**
   * Takes a slot for a request that waits for a task, and returns the function that releases it. Undefined for anonymous
   * callers: what they wait for is limited with their turns.
   */
  openBlocking(caller: Caller): (() => void) | undefined {
    return caller.authenticated ? this.#blocking.take(identityOf(caller)) : undefined;
  }

  #rateOf({ requestsPerMinute, authenticated }: Caller): RateLimiter | undefined {
    if (requestsPerMinute === undefined) return authenticated ? this.#rate : undefined;
    const rate = this.#ownRates.get(requestsPerMinute) ?? new RateLimiter(requestsPerMinute);
    this.#ownRates.set(requestsPerMinute, rate);
    return rate;
  }
}

interface LongPoll {
  readonly endsAt: number;
  readonly end: () => void;
}

/**
 * The requests that wait for a change of a task.
 *
 * Responsible for one timer for all of them, because all may wait equally long: the oldest ends first.
 */
class LongPolls {
  readonly #milliseconds: number;
  readonly #polls = new Set<LongPoll>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Calls `end` when the time is over. Returns the function that forgets the request. */
  add(end: () => void): () => void {
    const poll = { endsAt: performance.now() + this.#milliseconds, end };
    this.#polls.add(poll);
    if (this.#stopped) end();
    else this.#timer ??= setTimeout(() => this.#endOldest(), this.#milliseconds).unref();
    return () => void this.#polls.delete(poll);
  }

  endAll(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const { end } of this.#polls) end();
  }

  #endOldest(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const { endsAt, end } of this.#polls) {
      if (endsAt > now) {
        this.#timer = setTimeout(() => this.#endOldest(), endsAt - now).unref();
        return;
      }
      end();
    }
  }
}

function requireAllowance(allowance: CallerAllowance | undefined): void {
  if (allowance === undefined || allowance.allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(allowance.resetSeconds));
  throw limitExceeded(
    { limit: 'requestsPerMinute', scope: 'caller', retryAfterSeconds },
    `Rate limit exceeded (${allowance.perMinute} requests per minute). Wait before the next request.`,
  );
}

/** The tenant of the credential, not the one that a request names: naming other tenants must not raise the limit. */
export function identityOf({ tenant, id }: Pick<Caller, 'tenant' | 'id'>): string {
  return tenant === undefined ? id : `${tenant}\n${id}`;
}

/** Keys are cached for a second, so a stream with a revoked key ends after about two. */
const INTERVAL_MILLISECONDS = 1000;

interface WatchedStream {
  readonly isStillGood: () => Promise<boolean>;
  readonly lapse: (error: A2AError) => void;
}

/**
 * Checks regularly whether the callers of open streams may still read them.
 *
 * Responsible for one timer for the streams of all callers whose credential can lapse, because a timer per stream would
 * cost memory for every idle subscriber; without such streams there is no timer. Leaves the decision to the
 * authentication method, and ending a stream to its endpoint. Credentials are checked one after the other: a key that
 * several streams share is read from the store once, and a slow store is not queried twice at a time. If the check
 * itself fails, no stream ends.
 */
export class CredentialWatch {
  readonly #streams = new Set<WatchedStream>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  /** Calls `lapse` once when the caller's credential is no longer valid. Returns the function that ends the watch. */
  watch({ isStillGood }: Caller, lapse: (error: A2AError) => void): (() => void) | undefined {
    if (isStillGood === undefined) return undefined;
    const stream = { isStillGood, lapse };
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => void this.#check(), INTERVAL_MILLISECONDS).unref();
    return () => void this.#forget(stream);
  }

  async #check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    for (const stream of this.#streams) {
      const isGood = await stream.isStillGood().catch(() => true);
      if (!isGood && this.#forget(stream)) stream.lapse(lapsed());
    }
    this.#checking = false;
  }

  #forget(stream: WatchedStream): boolean {
    const wasWatched = this.#streams.delete(stream);
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return wasWatched;
  }
}

function lapsed(): A2AError {
  return refusedCredential(
    'The credential of this stream is no longer valid: it has expired, or was revoked or replaced. ' +
      'Get a new one and subscribe again; the task is still running.',
    'the credential expired, or was revoked or replaced, while the stream was open',
  );
}
