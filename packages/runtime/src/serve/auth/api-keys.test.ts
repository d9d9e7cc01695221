import { openMemoryStore, type Store } from '@holdword/store';
import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  API_KEY_NAMESPACE,
  addKey,
  hashSecret,
  haveKeysExisted,
  isSecretOf,
  listKeys,
  newSecret,
  parseToken,
  revokeKey,
  rotateKey,
} from './api-keys.ts';

let store: Store;
beforeEach(() => {
  store = openMemoryStore();
});

describe('addKey', () => {
  it('shows the secret once and stores only its hash', async () => {
    const { key, token } = await addKey(store, { name: 'laptop' });
    const parsed = parseToken(token);
    expect(parsed?.id).toBe(key.id);
    expect(Buffer.from(parsed?.secret ?? '', 'base64url')).toHaveLength(32);

    const [record] = await store.listRecords(API_KEY_NAMESPACE);
    expect(record?.value).toContain('laptop');
    expect(record?.value).not.toContain(parsed?.secret);
  });

  it('rejects a name in use, a name that cannot be shown safely, and an expiry in the past', async () => {
    await addKey(store, { name: 'laptop' });
    await expect(addKey(store, { name: 'laptop' })).rejects.toThrow(
      'An API key named "laptop" already exists',
    );
    await expect(addKey(store, { name: 'two words' })).rejects.toThrow('found "two words"');
    await expect(addKey(store, { name: 'old', expiresAt: new Date(0) })).rejects.toThrow('in the future');
  });
});

describe('listKeys', () => {
  it('shows name, creation and expiry, and no hash', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    await addKey(store, { name: 'laptop', expiresAt });
    expect(await listKeys(store)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        name: 'laptop',
        role: 'caller',
        createdAt: expect.any(String),
        expiresAt: expiresAt.toISOString(),
      },
    ]);
  });
});

describe('revokeKey', () => {
  it('removes the key, or lists the others if there is none of that name', async () => {
    await addKey(store, { name: 'laptop' });
    await addKey(store, { name: 'phone' });
    await revokeKey(store, 'laptop');
    expect((await listKeys(store)).map((key) => key.name)).toEqual(['phone']);
    await expect(revokeKey(store, 'laptop')).rejects.toThrow('Existing keys: phone.');
  });
});

describe('the name of a revoked key', () => {
  it('is available only to the same caller, who finds its tasks under it', async () => {
    await addKey(store, { name: 'laptop' });
    await revokeKey(store, 'laptop');
    await expect(addKey(store, { name: 'laptop' })).rejects.toThrow(/was revoked on \d{4}-.*--same-caller/);
    expect(await listKeys(store)).toEqual([]);

    expect((await addKey(store, { name: 'laptop', sameCaller: true })).key.name).toBe('laptop');
    await revokeKey(store, 'laptop');
    await expect(addKey(store, { name: 'laptop' })).rejects.toThrow('was revoked on');
  });
});

describe('rotateKey', () => {
  it('keeps the id and returns a new secret', async () => {
    const first = await addKey(store, { name: 'laptop' });
    const second = await rotateKey(store, 'laptop', { overlapMilliseconds: 60_000 });
    expect(second.key.id).toBe(first.key.id);
    expect(second.token).not.toBe(first.token);
    expect(Date.parse(second.key.previousValidUntil ?? '')).toBeGreaterThan(Date.now());
  });
});

describe('haveKeysExisted', () => {
  it('stays true when the last key is revoked', async () => {
    expect(await haveKeysExisted(store)).toBe(false);
    await addKey(store, { name: 'laptop' });
    expect(await haveKeysExisted(store)).toBe(true);
    await revokeKey(store, 'laptop');
    expect(await haveKeysExisted(store)).toBe(true);
  });
});

test('a secret matches its hash, and no other secret does', () => {
  const secret = newSecret();
  expect(isSecretOf(secret, hashSecret(secret))).toBe(true);
  expect(isSecretOf(newSecret(), hashSecret(secret))).toBe(false);
  expect(isSecretOf(secret, 'not a hash')).toBe(false);
  expect(hashSecret(secret)).not.toContain(secret);
});
