import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  findRootCard,
  HttpEndpoint,
  type HttpResponse,
  parseJson,
  readAgentCard,
} from '@holdword/client/internal';
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

/** What `--agent-card` names: where a card is, or a catalog with the id of one of its agents. */
export type CardReference = ({ readonly url: URL } | { readonly file: string }) & {
  readonly entry?: string | undefined;
  /** A catalog of another host names it: it has to be a public address. */
  readonly isForeign?: boolean;
};

/** Opens a client for a card, which trusts these origins. */
export type OpenClient = (trustedOrigins: readonly string[]) => GuardedClient;

const CARD_PATH = '/.well-known/agent-card.json';
const CATALOG_PATH = '/.well-known/ai-catalog.json';
const CARD_TIMEOUT_MILLISECONDS = 15_000;
const MOST_CARD_BYTES = 1024 * 1024;

const NOT_THERE = `An agent publishes its card at ${CARD_PATH}. Check --agent-card.`;

/** A card in a file was chosen by the user with all that it says. */
export function isSameHost({ hostname }: URL, reference: CardReference): boolean {
  if ('file' in reference) return true;
  const host = reference.url.hostname;
  return host === hostname || (LOOPBACK.has(host) && LOOPBACK.has(hostname));
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A URL, a host such as `agent.example` or `localhost:4310`, or else a file; `#ID` after it names an entry of a catalog. */
export function readReference(reference: string, workingFolder: string): CardReference {
  const [base = '', ...hashed] = reference.split('#');
  const entry = hashed.length === 0 ? undefined : hashed.join('#');
  const path = entry === undefined ? CARD_PATH : CATALOG_PATH;
  if (/^https?:\/\//i.test(base)) {
    if (!URL.canParse(base)) throw notFound(reference, 'it is not a valid URL');
    const url = new URL(base);
    if (url.pathname === '/' && url.search === '') url.pathname = path;
    return { url, entry };
  }
  if (base.startsWith('file:')) return { file: fileURLToPath(base), entry };
  const host = /^(\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)*)(:\d{1,5})?$/i.exec(base);
  if (host === null || base.endsWith('.json')) return { file: resolve(workingFolder, base), entry };
  const scheme = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host[1] ?? '') ? 'http' : 'https';
  return { url: new URL(`${scheme}://${base}${path}`), entry };
}

/** Fetches or reads the card. It is public: no credentials are sent. */
export async function findCard(
  reference: CardReference,
  openClient: OpenClient,
  version: string,
  signal?: AbortSignal,
): Promise<FoundCard> {
  const { entry } = reference;
  const follow = (next: CardReference): Promise<FoundCard> => findCard(next, openClient, version, signal);
  if ('file' in reference) {
    const text = await readCardFile(reference.file);
    return entry === undefined
      ? toCard(text, undefined, reference.file)
      : fromCatalog(text, pathToFileURL(reference.file), entry, follow);
  }
  const { url, isForeign = false } = reference;
  const client = openClient(isForeign ? [] : [url.origin]);
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
  try {
    const answer = await fetchFrom(url);
    if (answer.status === 200) {
      return entry === undefined
        ? toCard(answer.text, url, url.href)
        : await fromCatalog(answer.text, url, entry, follow);
    }
    // The address of an agent below a path, rather than that of its card.
    const below = new URL(`${url.pathname.replace(/\/$/, '')}${CARD_PATH}`, url);
    const other =
      answer.status === 404 && !url.pathname.endsWith('.json') ? await fetchFrom(below) : undefined;
    if (other?.status === 200) return toCard(other.text, below, below.href);
    throw notFound(url.href, `it answered with HTTP status ${answer.status}`, statusHint(answer));
  } catch (error) {
    throw entry === undefined ? await withRootCard(error, url, client) : error;
  } finally {
    client.close();
  }
}

/** An address that has no card is an error even if another agent answers at the root of its host: that one is only suggested. */
async function withRootCard(error: unknown, url: URL, client: GuardedClient): Promise<unknown> {
  if (!(error instanceof CallError)) return error;
  const root = await findRootCard(client, { origin: url.origin, asked: [url.href] });
  if (root === undefined) return error;
  const hint = `A card was found at ${root}: use -a ${url.origin} if that is the agent you mean.`;
  return new CallError(error.code, error.message, hint);
}

/** A catalog is a list of agents: an AI Catalog with `entries`, or a plain list, each with its card or where that is. */
async function fromCatalog(
  text: string,
  where: URL,
  id: string,
  follow: (reference: CardReference) => Promise<FoundCard>,
): Promise<FoundCard> {
  const entries = catalogEntries(parsedJson(text, where.href));
  const agents = entries.filter(({ type = CARD_TYPE }) => type === CARD_TYPE);
  const found =
    agents.find((each) => idOf(each) === id) ?? (id === '' && agents.length === 1 ? agents[0] : undefined);
  if (found === undefined) {
    const ids = agents.map(idOf).filter((each) => each !== undefined);
    throw notFound(
      `${where.href}#${id}`,
      'the catalog has no such agent',
      ids.length === 0 ? 'It lists no agent.' : `It has: ${shorten(ids.join(', '), 300)}.`,
    );
  }
  if (isObject(found['data'])) return toCard(JSON.stringify(found['data']), undefined, where.href);
  const address = found['url'] ?? found['cardUrl'];
  if (typeof address !== 'string' || !URL.canParse(address, where.href)) {
    throw invalid(where.href, `the entry ${shorten(id, 100)} does not say where its card is.`);
  }
  const next = new URL(address, where);
  // A catalog on the web must not read files here.
  if (next.protocol === 'file:' && where.protocol !== 'file:') {
    throw invalid(where.href, `the entry ${shorten(id, 100)} names a file.`);
  }
  if (next.protocol === 'file:') return follow({ file: fileURLToPath(next) });
  return follow({ url: next, isForeign: where.protocol !== 'file:' && !isSameHost(next, { url: where }) });
}

const CARD_TYPE = 'application/a2a-agent-card+json';

function catalogEntries(document: unknown): Readonly<Record<string, unknown>>[] {
  const { entries, agents } = asObject(document);
  const list: unknown = Array.isArray(document) ? document : (entries ?? agents);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function idOf({ identifier, id, name }: Readonly<Record<string, unknown>>): string | undefined {
  return [identifier, id, name].find((each) => typeof each === 'string');
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
  const published = parsedJson(text, where);
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

function parsedJson(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalid(where, 'it is not JSON.');
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
