import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { shorten } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import type { CallerRole } from './authentication.ts';

/**
 * API keys in the records of a store: created, listed, rotated and revoked here; checked by api-key-authentication. A
 * key is `holdword_<id>_<secret>`. The secret is shown once, when it is created; only its hash is stored.
 */
export const API_KEY_NAMESPACE = 'api-keys';

/**
 * When a name was revoked. Tasks belong to the name, so the next key with it would see the tasks of its former holder.
 */
const REVOKED_NAMESPACE = 'revoked-api-keys';
/** Which name the id of a revoked key had, for the operator who finds the id in a log. */
const REVOKED_IDS_NAMESPACE = 'revoked-api-key-ids';

/** The part of a store that keeps API keys. */
export type ApiKeyRecords = Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord' | 'listRecords'>;

/** An API key, without its secret. */
export interface ApiKey {
  /** Part of the token, and not secret. */
  readonly id: string;
  /** Names the caller: tasks belong to it. */
  readonly name: string;
  readonly role: CallerRole;
  /** ISO 8601, like the two below. */
  readonly createdAt: string;
  /** Absent if the key does not expire. */
  readonly expiresAt?: string;
  /** Until when the secret before the last rotation still works. */
  readonly previousValidUntil?: string;
}

/** A key as it is stored. */
export interface StoredApiKey extends ApiKey {
  readonly secretHash: string;
  readonly previousSecretHash?: string;
}

/** A key together with the token that its holder sends. */
export interface IssuedApiKey {
  readonly key: ApiKey;
  /** Shown once: only its hash is stored. */
  readonly token: string;
}

/** What `addKey` creates. */
export interface NewApiKey {
  /** Names the caller: 1 to 64 letters, digits, `.`, `_`, `@` or `-`. */
  name: string;
  /**
   * What the caller may do.
   * @default 'caller'
   */
  role?: CallerRole;
  /** The key does not expire without it. */
  expiresAt?: Date;
  /** Allows the name of a revoked key again: its tasks are visible to the new key. */
  sameCaller?: boolean;
}

/**
 * Creates an API key for a caller.
 *
 * @throws Error if the name is taken, was revoked or is invalid, or the expiry is in the past.
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const { token } = await addKey(store, { name: 'laptop' });
 * console.log(`Authorization: Bearer ${token}`);
 * ```
 */
export async function addKey(records: ApiKeyRecords, options: NewApiKey): Promise<IssuedApiKey> {
  const name = checkKeyName(options.name);
  if ((await findKeys(records, name)).length > 0) {
    throw new Error(
      `An API key named "${name}" already exists. Choose another name, or rotate or revoke that key.`,
    );
  }
  if (options.expiresAt !== undefined && !(options.expiresAt.getTime() > Date.now())) {
    throw new Error(
      'The expiry must be in the future. Use a later date, or none for a key that does not expire.',
    );
  }
  const revokedAt = await records.getRecord(REVOKED_NAMESPACE, name);
  if (revokedAt !== undefined && options.sameCaller !== true) {
    throw new Error(
      `An API key named "${name}" was revoked on ${revokedAt}. A new key with this name would see the tasks of the old one. ` +
        'Choose another name, or use --same-caller if it is for the same caller.',
    );
  }
  const secret = newSecret();
  const stored: StoredApiKey = {
    id: randomBytes(6).toString('hex'),
    name,
    role: options.role ?? 'caller',
    createdAt: new Date().toISOString(),
    ...(options.expiresAt && { expiresAt: options.expiresAt.toISOString() }),
    secretHash: hashSecret(secret),
  };
  await writeKey(records, stored);
  if (revokedAt !== undefined) await records.deleteRecord(REVOKED_NAMESPACE, name);
  return { key: describe(stored), token: tokenOf(stored.id, secret) };
}

/**
 * Lists all API keys, oldest first.
 *
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * for (const { name, createdAt } of await listKeys(store)) console.log(name, createdAt);
 * ```
 */
export async function listKeys(records: ApiKeyRecords): Promise<ApiKey[]> {
  const stored = await readAllKeys(records);
  return stored.map(describe).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/**
 * Whether API keys were ever in use here, even if none is left: revoking the last key must not open a server that
 * keys have closed.
 */
export async function haveKeysExisted(records: ApiKeyRecords): Promise<boolean> {
  const lists = [API_KEY_NAMESPACE, REVOKED_NAMESPACE].map((namespace) => records.listRecords(namespace));
  return (await Promise.all(lists)).some((list) => list.length > 0);
}

/**
 * Removes an API key and remembers its name. A running server rejects the key within a second.
 *
 * @throws Error if there is no key of this name.
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * await revokeKey(store, 'laptop');
 * ```
 */
export async function revokeKey(records: ApiKeyRecords, name: string): Promise<void> {
  const key = await requireKey(records, name);
  const revokedAt = new Date().toISOString();
  await records.putRecord(REVOKED_NAMESPACE, name, revokedAt);
  await records.putRecord(REVOKED_IDS_NAMESPACE, key.id, JSON.stringify({ name, revokedAt }));
  await records.deleteRecord(API_KEY_NAMESPACE, key.id);
}

/**
 * Gives an API key a new secret. The old one stops working at once, or after `overlapMilliseconds`.
 *
 * @throws Error if there is no key of this name.
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const { token } = await rotateKey(store, 'laptop', { overlapMilliseconds: 3_600_000 });
 * ```
 */
export async function rotateKey(
  records: ApiKeyRecords,
  name: string,
  options: { overlapMilliseconds?: number } = {},
): Promise<IssuedApiKey> {
  const { previousSecretHash: _, previousValidUntil: __, ...key } = await requireKey(records, name);
  const secret = newSecret();
  const overlap = options.overlapMilliseconds ?? 0;
  const rotated: StoredApiKey = {
    ...key,
    secretHash: hashSecret(secret),
    ...(overlap > 0 && {
      previousSecretHash: key.secretHash,
      previousValidUntil: new Date(Date.now() + overlap).toISOString(),
    }),
  };
  await writeKey(records, rotated);
  return { key: describe(rotated), token: tokenOf(key.id, secret) };
}

export async function readKey(
  records: Pick<ApiKeyRecords, 'getRecord'>,
  id: string,
): Promise<StoredApiKey | undefined> {
  const value = await records.getRecord(API_KEY_NAMESPACE, id);
  return value === undefined ? undefined : decodeKey(value);
}

/** The name that a revoked key had, and when it was revoked. Undefined if there never was a key with this id. */
export async function readRevokedKey(
  records: Pick<ApiKeyRecords, 'getRecord'>,
  id: string,
): Promise<{ name: string; revokedAt: string } | undefined> {
  const value = await records.getRecord(REVOKED_IDS_NAMESPACE, id);
  return value === undefined ? undefined : (JSON.parse(value) as { name: string; revokedAt: string });
}

/** The id and secret in a token. Undefined if the text is not one of our API keys. */
export function parseToken(token: string): { id: string; secret: string } | undefined {
  const match = /^holdword_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(token);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { id: match[1], secret: match[2] };
}

function tokenOf(id: string, secret: string): string {
  return `holdword_${id}_${secret}`;
}

/** The name, if it can be one of a key. */
export function checkKeyName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(name)) return name;
  throw new Error(
    `A key name has 1 to 64 letters, digits, ".", "_", "@" or "-", found "${shorten(name, 80)}". Choose another name.`,
  );
}

async function requireKey(records: ApiKeyRecords, name: string): Promise<StoredApiKey> {
  const [key] = await findKeys(records, name);
  if (key !== undefined) return key;
  const names = (await listKeys(records)).map((each) => each.name);
  throw new Error(
    `There is no API key named "${name}". ` +
      (names.length > 0
        ? `Existing keys: ${names.join(', ')}.`
        : 'There are no keys yet. Create one with "holdword keys add NAME".'),
  );
}

async function findKeys(records: ApiKeyRecords, name: string): Promise<StoredApiKey[]> {
  return (await readAllKeys(records)).filter((key) => key.name === name);
}

async function readAllKeys(records: ApiKeyRecords): Promise<StoredApiKey[]> {
  return (await records.listRecords(API_KEY_NAMESPACE)).map(({ value }) => decodeKey(value));
}

function writeKey(records: ApiKeyRecords, key: StoredApiKey): Promise<void> {
  return records.putRecord(API_KEY_NAMESPACE, key.id, JSON.stringify(key));
}

/** Written only by this file, so its shape is known. */
function decodeKey(value: string): StoredApiKey {
  return JSON.parse(value) as StoredApiKey;
}

function describe(stored: StoredApiKey): ApiKey {
  const { secretHash: _, previousSecretHash: __, ...key } = stored;
  return key;
}

/** A random secret that cannot be guessed. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash to store instead of a secret. The secret is random, so a plain fast hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a hash belongs to this secret, in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  const left = Buffer.from(hashSecret(secret));
  const right = Buffer.from(hash);
  return left.length === right.length && timingSafeEqual(left, right);
}
