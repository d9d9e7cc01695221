import { setTimeout as pause } from 'node:timers/promises';
import { isConnectionError, unlessAborted } from '@holdword/net/internal';
import { isA2AError } from '@holdword/protocol';
import { ERROR_TABLE, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { parseJson, errorOfResponse, type HttpEndpoint } from '../peers/http/http-endpoint.ts';
import { readPublishedCard, type ConfirmedCard } from './published-card.ts';

export interface CardCacheOptions {
  /** Called for every fetch, because headers may not be complete yet; throws then. */
  endpoint: () => HttpEndpoint;
  /** Places to look for the card; the next one is tried where the one before has none. */
  urls: readonly string[];
  /** For one fetch with its repetitions. */
  timeoutMilliseconds: number;
  /** How long a card is used at most before the agent is asked whether it is still the same. */
  maxAgeMilliseconds: number;
}

interface CachedCard extends ConfirmedCard {
  url: string;
  text: string;
  etag: string | undefined;
  freshUntil: number;
}

/** Pauses before the second and the third attempt. */
const PAUSES = [100, 400];
/** How soon an agent is asked again at the earliest, whatever it says, and after it could not be asked. */
const MIN_AGE_MILLISECONDS = 5_000;

/**
 * The card of one agent.
 *
 * Responsible for fetching it when it is first needed, once for all who wait, and again when it is old: with its tag, so
 * that an unchanged one is not sent. A fetch that fails is not remembered, and an old card is better than none. Leaves
 * to its user what to say about a failure.
 */
export class CardCache {
  readonly #options: CardCacheOptions;
  #cached: CachedCard | undefined;
  #fetching: Promise<CachedCard> | undefined;

  constructor(options: CardCacheOptions) {
    this.#options = options;
  }

  async load(signal?: AbortSignal): Promise<ConfirmedCard> {
    signal?.throwIfAborted();
    if (this.#cached !== undefined && Date.now() < this.#cached.freshUntil) return this.#cached;
    this.#fetching ??= this.#refresh().finally(() => (this.#fetching = undefined));
    // One who gives up stops waiting; the others go on.
    return signal === undefined ? this.#fetching : unlessAborted(this.#fetching, signal);
  }

  /** The next `load` asks the agent, for example because it is not where its card said. */
  expire(): void {
    if (this.#cached !== undefined) this.#cached.freshUntil = 0;
  }

  async #refresh(): Promise<CachedCard> {
    try {
      this.#cached = await this.#fetchRepeatedly();
    } catch (error) {
      if (this.#cached === undefined) throw error;
      this.#cached.freshUntil = Date.now() + MIN_AGE_MILLISECONDS;
    }
    return this.#cached;
  }

  async #fetchRepeatedly(): Promise<CachedCard> {
    const end = Date.now() + this.#options.timeoutMilliseconds;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#fetchAnywhere(end);
      } catch (error) {
        const wait = PAUSES[attempt];
        if (wait === undefined || !isTransient(error) || Date.now() + wait >= end) throw error;
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
        if (!isA2AError(error) || error.code !== 'METHOD_NOT_FOUND') throw error;
        missing ??= error;
      }
    }
    throw missing;
  }

  async #fetch(url: string, end: number): Promise<CachedCard> {
    const { maxAgeMilliseconds } = this.#options;
    const cached = this.#cached?.url === url ? this.#cached : undefined;
    const tag = cached?.etag === undefined ? {} : { 'If-None-Match': cached.etag };
    const answer = await this.#options
      .endpoint()
      .request(
        { url, method: 'GET', headers: { [VERSION_PARAMETER]: '1.0', ...tag }, repeatable: true },
        { timeoutMilliseconds: Math.max(1, end - Date.now()) },
      );
    const { etag, 'cache-control': cacheControl } = answer.headers;
    const confirmedAt = Date.now();
    const freshUntil = confirmedAt + ageOf(cacheControl, maxAgeMilliseconds);
    if (answer.status === 304 && cached !== undefined) return { ...cached, confirmedAt, freshUntil };
    if (answer.status !== 200) throw errorOfResponse(answer);
    const { text } = answer;
    // An agent without tags sends the same card again; whoever holds it may go on with it.
    const loaded = text === cached?.text ? cached : readPublishedCard(parseJson(text));
    const tagged = typeof etag === 'string' ? etag : undefined;
    return { ...loaded, url, text, etag: tagged, confirmedAt, freshUntil };
  }
}

/** What the agent says of the age, within bounds. */
function ageOf(cacheControl: string | string[] | undefined, longest: number): number {
  const said = /max-age=(\d+)/.exec(String(cacheControl ?? ''))?.[1];
  const wanted = said === undefined ? longest : Number(said) * 1000;
  return Math.min(longest, Math.max(MIN_AGE_MILLISECONDS, wanted));
}

function isTransient(error: unknown): boolean {
  return isConnectionError(error) || (isA2AError(error) && ERROR_TABLE[error.code].retry);
}
