import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createGuardedClient, isLoopback, type TlsSettings } from '@holdword/net/internal';
import { verifyCard, type SignatureKeyHint } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';
import { isSameHost, type FoundCard } from './find-card.ts';

/** What the signatures of a card prove. */
export interface SignatureVerdict {
  readonly status: 'verified' | 'unverifiable' | 'absent';
  /** What a user should know about it. */
  readonly reason: string;
}

interface KeySources {
  /** A file with keys that the user trusts, as a JSON Web Key Set. */
  readonly keysFile?: string | undefined;
  readonly workingFolder: string;
  readonly tls: TlsSettings | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MILLISECONDS = 15_000;
const MOST_BYTES = 256 * 1024;

type Key = Readonly<Record<string, unknown>>;

/**
 * Checks the signatures of a card with keys that the user trusts, else with those that the host of the card publishes: that proves
 * that the card is from that host, wherever it was read. A key of any other host proves nothing.
 */
export async function checkSignature(found: FoundCard, sources: KeySources): Promise<SignatureVerdict> {
  const { keysFile } = sources;
  const trusted = keysFile === undefined ? [] : await readKeys(keysFile, sources.workingFolder);
  const problems: string[] = [];
  const verification = await verifyCard(found.published, async (hint) => {
    const own = trusted.find(({ kid }) => kid === hint.keyId);
    if (own !== undefined) return own;
    const published = await publishedKeys(hint, found, sources).catch((error: unknown) => {
      sources.signal.throwIfAborted();
      problems.push(error instanceof Error ? error.message : String(error));
      return [];
    });
    return published.find(({ kid }) => kid === hint.keyId);
  });
  switch (verification.status) {
    case 'verified':
      return {
        status: 'verified',
        reason: trusted.some(({ kid }) => kid === verification.keyId)
          ? 'by a key that you trust'
          : 'by a key that the host of the card publishes',
      };
    case 'absent':
      return { status: 'absent', reason: 'the card is not signed' };
    case 'invalid':
      return { status: 'unverifiable', reason: 'the card is not what was signed' };
    case 'unverifiable':
    default:
      return {
        status: 'unverifiable',
        reason: problems[0] ?? 'no trusted key; name one with --trusted-keys',
      };
  }
}

async function publishedKeys(
  { keySetUrl }: SignatureKeyHint,
  { url: cardUrl }: FoundCard,
  { tls, signal }: KeySources,
): Promise<Key[]> {
  if (keySetUrl === undefined || cardUrl === undefined || !URL.canParse(keySetUrl)) return [];
  const url = new URL(keySetUrl);
  if (!isSameHost(url, { url: cardUrl })) throw new Error('its key is on another host than the card');
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new Error('its key is not published over https');
  const client = createGuardedClient({ trustedOrigins: [url.origin], tls });
  try {
    const { status, body } = await client.send({
      url: url.href,
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: '',
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maxResponseBytes: MOST_BYTES,
      signal,
    });
    if (status !== 200) throw new Error(`its key cannot be fetched (HTTP status ${status})`);
    return keysIn(JSON.parse(body));
  } finally {
    client.close();
  }
}

async function readKeys(file: string, workingFolder: string): Promise<Key[]> {
  try {
    return keysIn(JSON.parse(await readFile(resolve(workingFolder, file), 'utf8')));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : whyUnreadable(error);
    throw new UsageError(`--trusted-keys: cannot read ${file}: ${why}.`);
  }
}

/** A key set, or a single key. */
function keysIn(document: unknown): Key[] {
  const { keys = [document] } = asObject(document);
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}
