import { openMemoryStore } from '@holdword/store';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { loadPushKeys } from './push-keys.ts';

test('the key is created once, whoever asks first, and its private part is not published', async () => {
  const store = openMemoryStore();
  const all = await Promise.all([loadPushKeys(store), loadPushKeys(store), loadPushKeys(store)]);
  expect(new Set(all.map(({ keyId }) => keyId)).size).toBe(1);
  const [published] = all[0]?.keySet.keys ?? [];
  expect(published).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
  expect(published).not.toHaveProperty('d');
});

test('a given key is used as it is, and not stored', async () => {
  const store = openMemoryStore();
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = await loadPushKeys(store, { ...(await exportJWK(privateKey)), alg: 'ES256', kid: 'mine' });
  expect(keys).toMatchObject({ algorithm: 'ES256', keyId: 'mine' });
  expect(Object.keys(keys.keySet.keys[0] ?? {})).not.toContain('d');
  expect(await store.listRecords('push-keys')).toEqual([]);
});
