import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HttpEndpoint, type HttpResponse, parseJson, readAgentCard } from '@holdword/client/internal';
import type { GuardedClient } from '@holdword/net/internal';
import type { AgentCard } from '@holdword/protocol';
import { asObject, isObject, shorten, v03CardToCore, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CallError } from './call-errors.ts';

/** The card of an agent, as it was published and as it is used. */
export interface FoundCard {
  readonly published: Readonly<Record<string, unknown>>;
  readonly card: AgentCard;
  /** Where it was found; undefined for a file. */
  readonly url: URL | undefined;
}

/** What `--agent-card` names. */
export type CardReference = { readonly url: URL } | { readonly file: string };

const CARD_PATH = '/.well-known/agent-card.json';
const CARD_TIMEOUT_MILLISECONDS = 15_000;
const MOST_CARD_BYTES = 1024 * 1024;

const NOT_THERE = `An agent publishes its card at ${CARD_PATH}. Check --agent-card.`;

/** A URL, a host such as `agent.example` or `localhost:4310`, or else a file. */
export function readReference(reference: string, workingFolder: string): CardReference {
  if (/^https?:\/\//i.test(reference)) {
    if (!URL.canParse(reference)) throw notFound(reference, 'it is not a valid URL');
    const url = new URL(reference);
    if (url.pathname === '/' && url.search === '') url.pathname = CARD_PATH;
    return { url };
  }
  if (reference.startsWith('file:')) return { file: fileURLToPath(reference) };
  const host = /^(\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)*)(:\d{1,5})?$/i.exec(reference);
  if (host === null || reference.endsWith('.json')) return { file: resolve(workingFolder, reference) };
  const scheme = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host[1] ?? '') ? 'http' : 'https';
  return { url: new URL(`${scheme}://${reference}${CARD_PATH}`) };
}

/** Fetches or reads the card. It is public: no credentials are sent. */
export async function findCard(
  reference: CardReference,
  client: GuardedClient,
  version: string,
  signal?: AbortSignal,
): Promise<FoundCard> {
  if ('file' in reference) return toCard(await readCardFile(reference.file), undefined, reference.file);
  const { url } = reference;
  const endpoint = new HttpEndpoint({
    client,
    headers: {},
    allowCallHeaders: false,
    maxResponseBytes: MOST_CARD_BYTES,
    timeoutMilliseconds: CARD_TIMEOUT_MILLISECONDS,
  });
  const fetchFrom = (address: URL): Promise<HttpResponse> =>
    endpoint.request(
      { url: address.href, method: 'GET', headers: { [VERSION_PARAMETER]: version }, repeatable: true },
      { ...(signal && { signal }) },
    );
  const answer = await fetchFrom(url);
  if (answer.status === 200) return toCard(answer.text, url, url.href);
  // The address of an agent below a path, rather than that of its card.
  const below = new URL(`${url.pathname.replace(/\/$/, '')}${CARD_PATH}`, url);
  const other = answer.status === 404 && !url.pathname.endsWith('.json') ? await fetchFrom(below) : undefined;
  if (other?.status === 200) return toCard(other.text, below, below.href);
  throw notFound(url.href, `it answered with HTTP status ${answer.status}`, statusHint(answer));
}

function statusHint({ status, headers }: HttpResponse): string | undefined {
  const retryAfter = headers['retry-after'];
  if (status === 429 && typeof retryAfter === 'string')
    return `Try again later; it says Retry-After: ${shorten(retryAfter, 40)}.`;
  if (status === 429 || status >= 500) return 'Its server is overloaded or broken. Try again later.';
  return undefined;
}

async function readCardFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw notFound(path, whyUnreadable(error));
  }
}

function toCard(text: string, url: URL | undefined, where: string): FoundCard {
  let published: unknown;
  try {
    published = parseJson(text);
  } catch {
    throw invalid(where, 'it is not JSON.');
  }
  if (!isObject(published)) throw invalid(where, 'it is not a JSON object.');
  try {
    const core =
      asObject(published)['supportedInterfaces'] === undefined ? v03CardToCore(published) : published;
    const card = readAgentCard(core);
    if (card.supportedInterfaces.length === 0) throw invalid(where, 'it lists no interface.');
    return { published, card, url };
  } catch (error) {
    throw error instanceof CallError
      ? error
      : invalid(where, error instanceof Error ? error.message : String(error));
  }
}

function notFound(where: string, why: string, hint = NOT_THERE): CallError {
  return new CallError('A2ACLI_ERR_CARD_NOT_FOUND', `No agent card at ${shorten(where, 200)}: ${why}.`, hint);
}

function invalid(where: string, why: string): CallError {
  return new CallError(
    'A2ACLI_ERR_CARD_INVALID',
    `The agent card at ${shorten(where, 200)} is invalid: ${why}`,
    'Report this to the operator of the agent.',
  );
}
