import type { GuardedClient } from '@holdword/net/internal';
import { isObject, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { HttpEndpoint, parseJson } from '../peers/http-endpoint.ts';

const MAX_CARD_BYTES = 1024 * 1024;
const TIMEOUT_MILLISECONDS = 5_000;
const CARD_PATH = '/.well-known/agent-card.json';

/**
 * The URL of a card at the root of a host, after none was found at the address that was given. It may belong to another agent, so it
 * is suggested and never used, and it gets no credentials. Undefined if there is none, or if that address was asked already.
 */
export async function findRootCard(
  client: GuardedClient,
  { origin, cardPath = CARD_PATH, asked }: { origin: string; cardPath?: string; asked: readonly string[] },
  signal?: AbortSignal,
): Promise<string | undefined> {
  const url = `${origin}${cardPath}`;
  if (asked.includes(url)) return undefined;
  const endpoint = new HttpEndpoint({
    client,
    headers: {},
    allowCallHeaders: false,
    maxResponseBytes: MAX_CARD_BYTES,
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  });
  try {
    const answer = await endpoint.request(
      { url, method: 'GET', headers: { [VERSION_PARAMETER]: '1.0' }, repeatable: true },
      signal === undefined ? {} : { signal },
    );
    const card = answer.status === 200 ? parseJson(answer.text) : undefined;
    const isCard = isObject(card) && typeof card['name'] === 'string';
    return isCard && ('supportedInterfaces' in card || 'url' in card) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Root cards that were found when a card could not be fetched, by the error. */
const FOUND = new WeakMap<object, string>();

export function noteRootCard(error: unknown, url: string | undefined): void {
  if (url !== undefined && error instanceof Error) FOUND.set(error, url);
}

/** Where a card was found instead, if the error is that an address has none. */
export function rootCardOf(error: unknown): string | undefined {
  return error instanceof Error ? (FOUND.get(error) ?? rootCardOf(error.cause)) : undefined;
}
