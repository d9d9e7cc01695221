import type { Store } from '@holdword/store';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';

export const SIGNING_ALGORITHM = 'EdDSA';
const KEYS = 'push-keys';
const CURRENT = 'current';
/** Fields that are not listed here are not published. */
const PUBLIC_FIELDS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/** The key pair that signs push notifications. */
export interface PushKeys {
  algorithm: string;
  keyId: string;
  privateKey: CryptoKey | Uint8Array;
  /** The public keys for receivers, as they are published. */
  keySet: { keys: JWK[] };
}

/**
 * The given private key, or the one in the store, which is created on first use and shared by all processes that use
 * the store.
 */
export async function loadPushKeys(store: Store, given?: JWK): Promise<PushKeys> {
  const jwk = given ?? (await storedKey(store));
  const algorithm = jwk.alg ?? SIGNING_ALGORITHM;
  const keyId = jwk.kid ?? 'push';
  const open = Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, jwk[field]]));
  return {
    algorithm,
    keyId,
    privateKey: await importJWK(jwk, algorithm),
    keySet: { keys: [{ ...open, kid: keyId, alg: algorithm, use: 'sig' }] },
  };
}

async function storedKey(store: Store): Promise<JWK> {
  const known = await store.getRecord(KEYS, CURRENT);
  if (known !== undefined) return JSON.parse(known) as JWK;
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const made = { ...(await exportJWK(privateKey)), alg: SIGNING_ALGORITHM, kid: crypto.randomUUID() };
  // Another process may have been faster; then its key is used by all.
  if (await store.replaceRecord(KEYS, CURRENT, undefined, JSON.stringify(made))) return made;
  return storedKey(store);
}
