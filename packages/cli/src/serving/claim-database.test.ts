import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { usePostgres } from '@holdword/store/testing/postgres';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';
import { claimDatabase } from './claim-database.ts';

const postgres = usePostgres();
const LEASE_MILLISECONDS = 15_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const claim = (store: Parameters<typeof claimDatabase>[0], name: string) =>
  claimDatabase(store, name, LEASE_MILLISECONDS);

test('servers of one agent share a database, and those of another are refused as long as one runs', async () => {
  const store = overrideStore(openMemoryStore(), { isShared: true });
  const first = await claim(store, 'Ada');
  const second = await claim(store, 'Ada');
  const refusal = 'Servers of another agent, "Ada", use this database and schema';
  await expect(claim(store, 'Bob')).rejects.toThrow(refusal);
  await first.release();
  await vi.advanceTimersByTimeAsync(LEASE_MILLISECONDS);
  await expect(claim(store, 'Bob')).rejects.toThrow(refusal);
  await second.release();
  await (await claim(store, 'Bob')).release();
});

test('the claim of a server that crashed expires', async () => {
  const store = overrideStore(openMemoryStore(), { isShared: true });
  await store.putRecord('served-agents', 'Ada', String(Date.now() + LEASE_MILLISECONDS));
  await expect(claim(store, 'Bob')).rejects.toThrow('after a crash, wait 15 s.');
  await vi.advanceTimersByTimeAsync(LEASE_MILLISECONDS);
  await (await claim(store, 'Bob')).release();
});

test('a store that is not shared is not claimed', async () => {
  const store = openMemoryStore();
  await claim(store, 'Ada');
  await claim(store, 'Bob');
});

test('a server does not start on the schema of another agent, and does on its own', async () => {
  vi.useRealTimers();
  const schema = postgres().newSchema();
  const folder = await makeHoldwordFolder({ HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: schema });
  await urlOf(folder.serve());
  const other = ['--agent', 'exec:/bin/cat', '--data', 'other'];
  const { code, output } = await folder.run('serve', '--port', '0', ...other);
  expect(output).toContain('Servers of another agent, "Holdword demo agent", use this database and schema');
  expect(code).toBe(1);
  await urlOf(folder.serve(...other, '--store-schema', postgres().newSchema()));
});
