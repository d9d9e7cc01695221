import { openMemoryStore, StoreError, type Store } from '@holdword/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import { addKey, revokeKey, rotateKey } from './api-keys.ts';
import type { Authentication } from './authentication.ts';

let store: Store;
let authentication: Authentication;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  store = openMemoryStore();
  authentication = apiKeyAuthentication(store);
});
afterEach(() => {
  vi.useRealTimers();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const refusal = { code: 'UNAUTHENTICATED' };

describe('apiKeyAuthentication', () => {
  it('identifies the caller by either header', async () => {
    const { token } = await addKey(store, { name: 'laptop' });
    const caller = { id: 'key:laptop', authenticated: true, role: 'caller' };
    expect(await authentication.authenticate(bearer(token))).toMatchObject(caller);
    expect(await authentication.authenticate({ 'x-api-key': token })).toMatchObject(caller);
  });

  it('tells that the caller is an operator', async () => {
    const { token } = await addKey(store, { name: 'ada', role: 'operator' });
    expect(await authentication.authenticate(bearer(token))).toMatchObject({ role: 'operator' });
  });

  it('is unavailable while the keys cannot be read', async () => {
    const { token } = await addKey(store, { name: 'laptop' });
    const away = apiKeyAuthentication({
      getRecord: () => Promise.reject(new StoreError('unavailable', 'The database restarts.')),
    });
    await expect(away.authenticate(bearer(token))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('leaves requests without an API key to other methods', async () => {
    expect(await authentication.authenticate({})).toBeUndefined();
    expect(await authentication.authenticate(bearer('eyJhbGciOi.x.y'))).toBeUndefined();
    expect(await authentication.authenticate({ authorization: 'Basic abc' })).toBeUndefined();
  });

  it.each([
    ['an unknown id', (token: string) => token.replace(/_[0-9a-f]{12}_/, '_000000000000_')],
    ['a wrong secret', (token: string) => `${token.slice(0, -4)}AAAA`],
    ['a text in another format', () => 'holdword_short'],
  ])('rejects %s', async (_, spoil) => {
    const { token } = await addKey(store, { name: 'laptop' });
    await expect(authentication.authenticate({ 'x-api-key': spoil(token) })).rejects.toMatchObject(refusal);
  });

  it('rejects an expired key', async () => {
    const { token } = await addKey(store, { name: 'laptop', expiresAt: new Date(Date.now() + 5_000) });
    await authentication.authenticate(bearer(token));
    vi.advanceTimersByTime(5_000);
    await expect(authentication.authenticate(bearer(token))).rejects.toMatchObject(refusal);
  });

  it('tells the operator the name and id of a revoked key', async () => {
    const { key, token } = await addKey(store, { name: 'laptop' });
    await revokeKey(store, 'laptop');
    const refused = authentication.authenticate({ authorization: `Bearer ${token}` });
    await expect(refused).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      cause: { message: expect.stringMatching(`^API key "laptop" with the id ${key.id}: revoked at 20`) },
    });
  });

  it('rejects a revoked key after one second at most', async () => {
    const { token } = await addKey(store, { name: 'laptop' });
    await authentication.authenticate(bearer(token));
    await revokeKey(store, 'laptop');
    vi.advanceTimersByTime(1_000);
    await expect(authentication.authenticate(bearer(token))).rejects.toMatchObject(refusal);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is revoked', () => revokeKey(store, 'laptop')],
    ['is replaced', () => rotateKey(store, 'laptop')],
    ['was replaced a while ago', () => rotateKey(store, 'laptop', { overlapMilliseconds: 900 })],
    ['has expired', async () => vi.advanceTimersByTime(59_000)],
  ])('tells streams that a key %s', async (_, spoil) => {
    const { token } = await addKey(store, { name: 'laptop', expiresAt: new Date(Date.now() + 60_000) });
    const caller = await authentication.authenticate(bearer(token));
    vi.advanceTimersByTime(1_000);
    expect(await caller?.isStillGood?.()).toBe(true);
    await spoil();
    vi.advanceTimersByTime(1_000);
    expect(await caller?.isStillGood?.()).toBe(false);
  });

  it('accepts both secrets during the overlap of a rotation, and only the new one afterwards', async () => {
    const old = await addKey(store, { name: 'laptop' });
    const fresh = await rotateKey(store, 'laptop', { overlapMilliseconds: 10_000 });
    expect(await authentication.authenticate(bearer(old.token))).toMatchObject({ id: 'key:laptop' });
    expect(await authentication.authenticate(bearer(fresh.token))).toMatchObject({ id: 'key:laptop' });
    vi.advanceTimersByTime(10_000);
    await expect(authentication.authenticate(bearer(old.token))).rejects.toMatchObject(refusal);
    expect(await authentication.authenticate(bearer(fresh.token))).toMatchObject({ id: 'key:laptop' });
  });

  it('rejects the old secret at once if a rotation has no overlap', async () => {
    const old = await addKey(store, { name: 'laptop' });
    await rotateKey(store, 'laptop');
    await expect(authentication.authenticate(bearer(old.token))).rejects.toMatchObject(refusal);
  });
});
