import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { A2AError, type AgentCard, isA2AError, type JsonObject } from '@holdword/protocol';
import {
  asObject,
  isObject,
  pause,
  quotedRemoteMessage,
  shorten,
  unlessAborted,
  v03CardToCore,
  VERSION_PARAMETER,
  withRemoteText,
  withRetryAfter,
} from '@holdword/protocol/internal';
import { asksToWait, isTransient, retryDelay } from '../basics/retries.ts';
import { readAgentCard } from '../peers/answers.ts';
import {
  errorOfResponse,
  type HttpEndpoint,
  type HttpResponse,
  isRedirect,
  isTooLarge,
  parseJson,
  tooLargeReason,
} from '../peers/http-endpoint.ts';
import { noteRootCard, rootCardOf } from './root-card.ts';

interface CardCacheOptions {
  /** Called for every fetch; throws while an environment variable for a header is missing. */
  endpoint: () => HttpEndpoint;
  /** Candidate URLs of the card; the next one is tried if one has no card. */
  urls: readonly string[];
  /** Looks for another card to suggest, if there is none at these. */
  findRootCard: () => Promise<string | undefined>;
  /** For one fetch including retries. */
  timeoutMilliseconds: number;
  /** Maximum age of a card before it is revalidated. */
  maxAgeMilliseconds: number;
}

interface CachedCard extends ConfirmedCard {
  url: string;
  text: string;
  etag: string | undefined;
  freshUntil: number;
}

const MAX_ATTEMPTS = 3;
/** A failure that took longer to notice is remembered for as long as that took, so that not every caller waits for it. */
const SLOW_MILLISECONDS = 2_000;
/** Minimum time between two fetches, whatever the agent's headers say, and after a failed fetch. */
const MIN_AGE_MILLISECONDS = 5_000;

/**
 * The cached card of one agent.
 *
 * Responsible for fetching the card on first use, once for all waiting callers, and revalidating it by ETag when it is old.
 * A stale card is used if no fresh one is available. A failed fetch is repeated on the next call, unless the agent asked to wait
 * or did not answer: then the failure is remembered for that time. Leaves error messages to the caller.
 */
export class CardCache {
  readonly #options: CardCacheOptions;
  #cached: CachedCard | undefined;
  #fetching: Promise<CachedCard> | undefined;
  #isDoubted = false;
  #failure: unknown;
  /** Why the last attempt of the current fetch failed. */
  #trouble: unknown;
  /** Consecutive failures. */
  #failures = 0;
  /** Until then, the agent is not asked again. */
  #retryAt = 0;

  constructor(options: CardCacheOptions) {
    this.#options = options;
  }

  async load(signal?: AbortSignal): Promise<ConfirmedCard> {
    signal?.throwIfAborted();
    const now = Date.now();
    if (this.#cached !== undefined && now < this.#cached.freshUntil) return this.#cached;
    if (this.#fetching === undefined && now < this.#retryAt) return this.#remembered(this.#retryAt - now);
    this.#fetching ??= this.#refresh().finally(() => (this.#fetching = undefined));
    // A caller that aborts stops waiting; the fetch continues for the others.
    return signal === undefined ? this.#fetching : unlessAborted(this.#fetching, signal);
  }

  /** Why there is no card yet, while the fetch is repeated: for callers that stopped waiting. */
  get trouble(): unknown {
    return this.#cached === undefined ? this.#trouble : undefined;
  }

  /** Makes the next `load` refetch the card, for example because the agent was not where its card says. */
  expire(): void {
    if (this.#cached !== undefined) this.#cached.freshUntil = 0;
  }

  /** Call it when the agent could not be reached: whether it is there is looked up when somebody asks. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Like `load`, for those who want to know whether the agent is there: with the reason why its card is not current. */
  async check(): Promise<CheckedCard> {
    if (this.#isDoubted) this.expire();
    const card = await this.load();
    return { ...card, failure: this.#failure };
  }

  async #refresh(): Promise<CachedCard> {
    const begun = Date.now();
    try {
      this.#cached = await this.#fetchRepeatedly();
      this.#isDoubted = false;
      this.#failure = undefined;
      this.#failures = 0;
    } catch (error) {
      const wait = this.#waitAfter(error, Date.now() - begun);
      this.#failure = error;
      this.#failures += 1;
      this.#retryAt = Date.now() + wait;
      if (this.#cached !== undefined) this.#cached.freshUntil = Date.now() + MIN_AGE_MILLISECONDS;
      return this.#remembered(wait);
    }
    return this.#cached;
  }

  /** How long a failure is remembered. */
  #waitAfter(error: unknown, took: number): number {
    if (asksToWait(error)) return retryDelay(this.#failures, error);
    return took < SLOW_MILLISECONDS ? 0 : took;
  }

  /** The stale card, or the last failure with the time that is left to wait. */
  #remembered(wait: number): CachedCard {
    if (this.#cached !== undefined) return this.#cached;
    const error = this.#failure;
    throw isA2AError(error) && asksToWait(error) ? withRetryAfter(error, Math.ceil(wait / 1000)) : error;
  }

  async #fetchRepeatedly(): Promise<CachedCard> {
    const end = Date.now() + this.#options.timeoutMilliseconds;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#fetchAnywhere(end);
      } catch (error) {
        this.#trouble = error;
        const wait = retryDelay(attempt, error);
        const mayRepeat = isTransient(error) && !asksToWait(error) && attempt + 1 < MAX_ATTEMPTS;
        if (!mayRepeat || Date.now() + wait >= end) throw error;
        await pause(wait);
      }
    }
  }

  async #fetchAnywhere(end: number): Promise<CachedCard> {
    let missing: unknown;
    for (const url of this.#options.urls) {
      try {
        return await this.#fetch(url, end);
      } catch (error) {
        if (!isNoCard(error)) throw isBroken(missing) && !isTransient(error) ? missing : error;
        if (!isBroken(missing)) missing = error;
      }
    }
    noteRootCard(missing, await this.#options.findRootCard());
    throw missing;
  }

  async #fetch(url: string, end: number): Promise<CachedCard> {
    const { maxAgeMilliseconds } = this.#options;
    const cached = this.#cached?.url === url ? this.#cached : undefined;
    const tag = cached?.etag === undefined ? {} : { 'If-None-Match': cached.etag };
    const answer = await this.#request(url, { [VERSION_PARAMETER]: '1.0', ...tag }, end);
    const { etag, 'cache-control': cacheControl } = answer.headers;
    const confirmedAt = Date.now();
    const freshUntil = confirmedAt + ageOf(cacheControl, maxAgeMilliseconds);
    if (answer.status === 304 && cached !== undefined) return { ...cached, confirmedAt, freshUntil };
    if (answer.status !== 200) throw errorOfResponse(answer);
    const { text } = answer;
    // An agent without ETags sends the same card again; keeping the old object lets its users keep their peer.
    const loaded = text === cached?.text ? cached : readPublishedCard(parseJson(text));
    const tagged = typeof etag === 'string' ? etag : undefined;
    return { ...loaded, url, text, etag: tagged, confirmedAt, freshUntil };
  }

  /** Follows redirects within the origin. Credentials and the user's trust are for the origin of the configured URL only. */
  async #request(url: string, headers: Readonly<Record<string, string>>, end: number): Promise<HttpResponse> {
    let current = url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#options
        .endpoint()
        .request(
          { url: current, method: 'GET', headers, repeatable: true },
          { timeoutMilliseconds: Math.max(1, end - Date.now()) },
        );
      if (!isRedirect(answer.status)) return answer;
      const { location } = answer.headers;
      const next = typeof location === 'string' ? URL.parse(location, current) : null;
      if (next?.origin !== new URL(url).origin) throw redirected(next);
      if (redirects >= MAX_REDIRECTS) {
        throw new A2AError('INVALID_AGENT_RESPONSE', 'the request is redirected again and again.');
      }
      current = next.href;
    }
  }
}

/** Whether there is something else than a card at an address, or nothing. */
function isNoCard(error: unknown): boolean {
  if (!isA2AError(error) || isTooLarge(error) || redirectOf(error) !== undefined) return false;
  return error.code === 'METHOD_NOT_FOUND' || error.code === 'INVALID_AGENT_RESPONSE';
}

/** Whether there is something else than a card at an address, which tells more than what another address refuses. */
function isBroken(error: unknown): boolean {
  return isA2AError(error) && error.code === 'INVALID_AGENT_RESPONSE';
}

const MAX_REDIRECTS = 3;
const MAX_URL_LENGTH = 200;

/** Where cards were redirected to. */
const REDIRECTS = new WeakMap<object, string>();

/** The address at another origin to which the card was redirected, if that is why it could not be fetched. */
export function redirectOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return REDIRECTS.get(error) ?? redirectOf(error.cause);
}

function redirected(target: URL | null): A2AError {
  if (target === null || !/^https?:$/.test(target.protocol)) {
    return new A2AError(
      'INVALID_AGENT_RESPONSE',
      'the request is redirected, but not to an address on the web.',
    );
  }
  const address = shorten(target.href, MAX_URL_LENGTH);
  const error = withRemoteText(
    new A2AError(
      'INVALID_AGENT_RESPONSE',
      `the request is redirected to ${address}, and only redirects to the same origin are followed. If you trust that address, use it as the URL of this agent.`,
    ),
  );
  REDIRECTS.set(error, address);
  return error;
}

/** The `max-age` that the agent sent, within bounds. */
function ageOf(cacheControl: string | string[] | undefined, maxAge: number): number {
  const seconds = /max-age=(\d+)/.exec(String(cacheControl ?? ''))?.[1];
  const wanted = seconds === undefined ? maxAge : Number(seconds) * 1000;
  return Math.min(maxAge, Math.max(MIN_AGE_MILLISECONDS, wanted));
}

/** An agent card as published, with the fields of A2A 0.3 filled in. */
export interface PublishedCard extends JsonObject {
  name: string;
  description: string;
  /** The preferred endpoint of the agent. */
  url: string;
  version: string;
  capabilities: AgentCard['capabilities'];
  skills: AgentCard['skills'];
  defaultInputModes: string[];
  defaultOutputModes: string[];
}

export interface LoadedCard {
  /** As A2A 1.0, parsed leniently. */
  card: AgentCard;
  published: PublishedCard;
}

/** A card and when it was last confirmed to be current. */
export interface ConfirmedCard extends LoadedCard {
  /** Milliseconds since the epoch. */
  confirmedAt: number;
}

/** A card that may be stale. */
export interface CheckedCard extends ConfirmedCard {
  /** Why the card could not be fetched again; undefined if it is current. */
  failure: unknown;
}

/** Parses a card of A2A 1.0 or 0.3; one with the fields of both is parsed as 1.0. Throws an A2AError if it is neither. */
function readPublishedCard(json: unknown): LoadedCard {
  const raw = asObject(json);
  const { supportedInterfaces } = raw;
  const isCurrent = Array.isArray(supportedInterfaces) && supportedInterfaces.some(isObject);
  const card = readAgentCard(isCurrent ? raw : v03CardToCore(raw));
  const { name, description, version, skills, defaultInputModes, defaultOutputModes } = card;
  const { url } = raw;
  return {
    card,
    published: {
      ...raw,
      name,
      description,
      version,
      url: typeof url === 'string' ? url : (card.supportedInterfaces[0]?.url ?? ''),
      capabilities: { ...asObject(raw['capabilities']), ...card.capabilities },
      skills: Array.isArray(raw['skills']) ? raw['skills'] : skills,
      defaultInputModes,
      defaultOutputModes,
    },
  };
}

/** Without the address, which is taken out of messages for models. */
const ROOT_CARD_ADVICE =
  ' A card was found at the root of its host: use its URL without the path if that is the agent you mean.';

/** Converts an error while fetching an agent card to an A2AError that users and models can read. */
export function cardFailure(agentId: string, error: unknown): A2AError {
  const what = `The card of agent "${agentId}" could not be fetched`;
  if (isConnectionError(error)) {
    return new A2AError(
      'UNAVAILABLE',
      `${what}: ${error.message}. Check that the agent is running, then try again.`,
      { cause: error },
    );
  }
  if (isForbiddenUrlError(error)) {
    return new A2AError('PERMISSION_DENIED', `${what}: its URL is not allowed because ${error.message}.`, {
      cause: error,
    });
  }
  // The card was fetched; it does not help to do that again.
  if (isA2AError(error) && error.code === 'VERSION_NOT_SUPPORTED') {
    const text = `Agent "${agentId}" cannot be called. ${error.message}`;
    return new A2AError(error.code, text, { cause: error });
  }
  if (isA2AError(error)) {
    const { code, retryAfterSeconds } = error;
    const missing = `nothing is published at this address. Check the URL of agent "${agentId}".`;
    const quoted = quotedRemoteMessage(error);
    const answered = quoted === undefined ? error.message : `the server answered ${quoted}.`;
    const tooLarge = tooLargeReason(error);
    // No limit needs to be raised for a card: what is this large is something else.
    const large = tooLarge && `${tooLarge} Check the URL of agent "${agentId}".`;
    const why = code === 'METHOD_NOT_FOUND' ? missing : (large ?? answered);
    return new A2AError(code, `${what}: ${why}${rootCardOf(error) === undefined ? '' : ROOT_CARD_ADVICE}`, {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      cause: error,
    });
  }
  // Trying again does not help against an error of this program, and its text may contain secrets.
  return new A2AError(
    'INTERNAL',
    `${what} because of an unexpected error in the client, not in the agent. Use another agent, or read the "cause" of this error.`,
    { cause: error },
  );
}
