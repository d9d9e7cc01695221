import { checkArgument, hasMethods } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { z } from 'zod';
import { rethrowStoreError } from '../../operations/rethrow-store-error.ts';
import { isSecretOf, parseToken, readKey, readRevokedKey, type StoredApiKey } from './api-keys.ts';
import {
  bearerToken,
  headerValue,
  refusedCredential,
  type Authentication,
  type RequestHeaders,
} from './authentication.ts';

/** A key that another process revoked stops working after this long at most. */
const CACHE_MILLISECONDS = 1000;

const storeSchema = z.custom<Pick<Store, 'getRecord'>>(
  (value) => hasMethods(value, 'getRecord'),
  'expected a store, such as await openSqliteStore({ folder })',
);

/**
 * Authenticates callers by API keys, sent as `Authorization: Bearer holdword_…` or `X-API-Key: holdword_…`.
 *
 * Responsible for the check and for a short cache of existing keys. Leaves creating and revoking keys to api-keys.
 * Unknown ids are not cached, so the cache never has more entries than there are keys.
 *
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const runtime = await startRuntime({ store, executor: { execute: (turn, sink) => sink.complete('Hello.') } });
 * await serveRuntime({ runtime, host: '0.0.0.0', authentication: apiKeyAuthentication(store) });
 * ```
 * @throws TypeError without a store.
 */
export function apiKeyAuthentication(records: Pick<Store, 'getRecord'>): Authentication {
  checkArgument('apiKeyAuthentication(store)', storeSchema, records);
  const cache = new Map<string, { key: StoredApiKey; readAt: number }>();

  async function lookUp(id: string): Promise<StoredApiKey | undefined> {
    const now = performance.now();
    const cached = cache.get(id);
    if (cached !== undefined && now - cached.readAt < CACHE_MILLISECONDS) return cached.key;
    const key = await readKey(records, id).catch(rethrowStoreError);
    if (key === undefined) cache.delete(id);
    else cache.set(id, { key, readAt: now });
    return key;
  }

  return {
    async authenticate(headers) {
      const token = tokenIn(headers);
      if (token === undefined) return undefined;
      const parsed = parseToken(token);
      const key = parsed && (await lookUp(parsed.id));
      const hash = key && hashOf(parsed.secret, key);
      if (key === undefined || hash === undefined || !isGood(key, hash)) {
        throw refusedCredential(
          'The API key is not valid: it is unknown, revoked, replaced or expired. Ask the operator of this agent for a new one.',
          await whyRefused(records, parsed?.id, key, hash),
        );
      }
      return {
        id: `key:${key.name}`,
        authenticated: true,
        role: key.role,
        isStillGood: async () => isGood(await lookUp(key.id), hash),
      };
    },
    securitySchemes: {
      apiKey: {
        apiKeySecurityScheme: {
          description: 'An API key of this agent.',
          location: 'header',
          name: 'X-API-Key',
        },
      },
      apiKeyBearer: {
        httpAuthSecurityScheme: {
          description: 'An API key of this agent as a bearer token.',
          scheme: 'Bearer',
        },
      },
    },
    challenge: 'Bearer',
  };
}

/** Bearer tokens in another format are left to other authentication methods. */
function tokenIn(headers: RequestHeaders): string | undefined {
  const bearer = bearerToken(headers);
  return bearer?.startsWith('holdword_') ? bearer : headerValue(headers, 'x-api-key');
}

/** The hash of the key that matches the secret. */
function hashOf(secret: string, { secretHash, previousSecretHash }: StoredApiKey): string | undefined {
  return [secretHash, previousSecretHash].find((hash) => hash !== undefined && isSecretOf(secret, hash));
}

/** Names the key by what `holdword keys list` shows. Ids are not secret. */
async function whyRefused(
  records: Pick<Store, 'getRecord'>,
  id: string | undefined,
  key: StoredApiKey | undefined,
  hash: string | undefined,
): Promise<string> {
  if (id === undefined) return 'API key in another format';
  if (key === undefined) {
    const revoked = await readRevokedKey(records, id).catch(rethrowStoreError);
    return revoked === undefined
      ? `API key with the id ${id}: unknown`
      : `API key "${revoked.name}" with the id ${id}: revoked at ${revoked.revokedAt}`;
  }
  const why = hash === undefined ? 'the secret is wrong or was replaced' : whyNotGood(key);
  return `API key "${key.name}": ${why}`;
}

function whyNotGood({ expiresAt, previousValidUntil }: StoredApiKey): string {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
    ? `expired at ${expiresAt}`
    : `replaced, the old secret was valid until ${previousValidUntil}`;
}

/** Whether an existing key is currently valid for the secret with this hash. */
function isGood(key: StoredApiKey | undefined, hash: string): boolean {
  const now = Date.now();
  if (key === undefined || (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now)) return false;
  if (hash === key.secretHash) return true;
  return (
    hash === key.previousSecretHash &&
    key.previousValidUntil !== undefined &&
    Date.parse(key.previousValidUntil) > now
  );
}
