import type { Store } from '@holdword/store';
import { refuseForStore } from '../../operations/store-refusal.ts';
import { parseToken, readKey, type StoredApiKey } from './api-keys.ts';
import {
  bearerToken,
  headerValue,
  unauthenticated,
  type Authentication,
  type RequestHeaders,
} from './authentication.ts';
import { isSecretOf } from './secrets.ts';

/** A key that was revoked in another process stops working after this long at the latest. */
const CACHE_MILLISECONDS = 1000;

/**
 * Checks API keys sent as `Authorization: Bearer holdword_…` or `X-API-Key: holdword_…`.
 *
 * Responsible for the check and a short cache of keys that exist. Leaves making and revoking keys to api-keys. Unknown
 * ids are not cached: the cache never holds more entries than there are keys.
 */
export function apiKeyAuthentication(records: Pick<Store, 'getRecord'>): Authentication {
  const cache = new Map<string, { key: StoredApiKey; readAt: number }>();

  async function lookUp(id: string): Promise<StoredApiKey | undefined> {
    const now = performance.now();
    const cached = cache.get(id);
    if (cached !== undefined && now - cached.readAt < CACHE_MILLISECONDS) return cached.key;
    const key = await readKey(records, id).catch(refuseForStore);
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
        throw unauthenticated(
          'The API key is not valid: it is unknown, revoked, replaced or expired. Ask the operator of this agent for a new one.',
        );
      }
      return {
        id: `key:${key.name}`,
        authenticated: true,
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

/** Bearer tokens of another form are left to other ways to authenticate. */
function tokenIn(headers: RequestHeaders): string | undefined {
  const bearer = bearerToken(headers);
  return bearer?.startsWith('holdword_') ? bearer : headerValue(headers, 'x-api-key');
}

/** The one of the key's hashes that was made of the secret. */
function hashOf(secret: string, { secretHash, previousSecretHash }: StoredApiKey): string | undefined {
  return [secretHash, previousSecretHash].find((hash) => hash !== undefined && isSecretOf(secret, hash));
}

/** Whether a key that exists is good now for the secret with this hash. */
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
