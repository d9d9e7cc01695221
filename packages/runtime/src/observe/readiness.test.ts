import { tmpdir } from 'node:os';
import { openMemoryStore, StoreError, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test } from 'vitest';
import { collectingLog } from '../engine/testing/start-test-engine.ts';
import { type RuntimeHealth, createReadiness, type ReadinessOptions } from './readiness.ts';

const well = { stopping: false, heartbeatAgeMilliseconds: 1_000, commitFailure: undefined };

const never = () => new Promise<never>(() => {});

function brokenStore(broken: Partial<Store>): Store {
  return overrideStore(openMemoryStore(), broken);
}

async function failing(): Promise<never> {
  throw new StoreError('unavailable', 'The disk is full.', { cause: new Error('/nowhere: ENOSPC') });
}

function readiness(options: Partial<ReadinessOptions> = {}) {
  return createReadiness({ store: openMemoryStore(), health: () => well, folder: tmpdir(), ...options })();
}

test('is ready when every check passes', async () => {
  expect(await readiness({ minimumFreeBytes: 1 })).toEqual({
    ready: true,
    checks: {
      running: { ok: true },
      store: { ok: true },
      heartbeat: { ok: true },
      disk: { ok: true },
    },
  });
});

test('checks no disk without a folder', async () => {
  const answer = await createReadiness({ store: openMemoryStore(), health: () => well })();
  expect(Object.keys(answer.checks)).toEqual(['running', 'store', 'heartbeat']);
});

test.each<[string, () => Promise<Partial<ReadinessOptions>>]>([
  [
    'store',
    async () => {
      const store = openMemoryStore();
      await store.close();
      return { store };
    },
  ],
  ['store', async () => ({ store: brokenStore({ putRecord: failing }) })],
  ['store', async () => ({ store: brokenStore({ putRecord: never }) })],
  ['store', async () => ({ store: brokenStore({ getRecord: failing }) })],
  ['store', async () => ({ store: brokenStore({ getRecord: never }) })],
  ['store', async () => ({ store: brokenStore({ putRecord: async () => {} }) })],
  ['store', async () => ({ health: () => ({ ...well, commitFailure: 'The disk is full.' }) })],
  ['heartbeat', async () => ({ health: () => ({ ...well, heartbeatAgeMilliseconds: 20_000 }) })],
  ['running', async () => ({ health: () => ({ ...well, stopping: true }) })],
  ['disk', async () => ({ minimumFreeBytes: Number.MAX_SAFE_INTEGER })],
  ['disk', async () => ({ folder: '/nowhere/at/all' })],
])('is not ready when the check of %s fails, and says why', async (name, options) => {
  const { ready, checks } = await readiness(await options());
  expect(ready).toBe(false);
  expect(checks[name]).toEqual({ ok: false, detail: expect.any(String) });
  expect(JSON.stringify(checks)).not.toContain('nowhere');
});

test('is not ready while a condition does not hold, whose reason is only in the log', async () => {
  const lines: string[] = [];
  let problem: string | undefined = 'The program "/nowhere/tool" was not found.';
  const agent = { detail: 'the agent cannot work', problem: async () => problem };
  const check = createReadiness({
    store: openMemoryStore(),
    health: () => well,
    conditions: { agent },
    log: collectingLog(lines),
    cacheMilliseconds: 0,
  });
  const { ready, checks } = await check();
  expect([ready, checks['agent']]).toEqual([false, { ok: false, detail: 'the agent cannot work' }]);
  problem = undefined;
  expect(await check()).toMatchObject({ ready: true, checks: { agent: { ok: true } } });
  expect(lines).toEqual([
    'The server is not ready. {"agent":"The program \\"/nowhere/tool\\" was not found."}',
    'The server is ready again. {}',
  ]);
});

test("reports the store's message, and leaves files and hosts to the log", async () => {
  const lines: string[] = [];
  const store = brokenStore({ putRecord: failing });
  const check = createReadiness({
    store,
    health: () => well,
    log: collectingLog(lines),
    cacheMilliseconds: 0,
  });
  expect((await check()).checks['store']).toEqual({ ok: false, detail: 'a write failed: The disk is full.' });
  await check();
  expect(lines).toEqual(['The server is not ready. {"store":"The disk is full: /nowhere: ENOSPC"}']);
});

test('logs that it is ready again, and nothing about a server that stops', async () => {
  const lines: string[] = [];
  let health: RuntimeHealth = { ...well, commitFailure: 'The disk is full.' };
  const check = createReadiness({
    store: openMemoryStore(),
    health: () => health,
    log: collectingLog(lines),
    cacheMilliseconds: 0,
  });
  await check();
  health = well;
  await check();
  health = { ...well, stopping: true };
  await check();
  expect(lines).toEqual([
    'The server is not ready. {"store":"the store rejects commits: The disk is full."}',
    'The server is ready again. {}',
  ]);
});

test('reads the record that it wrote, or that another process wrote after it', async () => {
  const memory = openMemoryStore();
  let accepts = true;
  const store = overrideStore(memory, {
    putRecord: async (...record) => {
      if (accepts) await memory.putRecord(...record);
    },
  });
  const check = createReadiness({ store, health: () => well, cacheMilliseconds: 0 });
  expect((await check()).ready).toBe(true);
  accepts = false;
  expect((await check()).ready).toBe(false);
  await memory.putRecord('readiness', 'probe', 'of another process');
  expect((await check()).ready).toBe(true);
});

test('probes the store again only after a while', async () => {
  let writes = 0;
  const store = brokenStore({ putRecord: async () => void (writes += 1), getRecord: async () => 'another' });
  const check = createReadiness({ store, health: () => well });
  await Promise.all([check(), check()]);
  await check();
  expect(writes).toBe(1);
});

test('gives a hanging store no more work', async () => {
  let writes = 0;
  const store = brokenStore({
    putRecord: () => {
      writes += 1;
      return never();
    },
  });
  const check = createReadiness({ store, health: () => well, cacheMilliseconds: 0 });
  const results = await Promise.all([check(), check(), check()]);
  expect(results.map(({ ready }) => ready)).toEqual([false, false, false]);
  expect(writes).toBe(1);
});
