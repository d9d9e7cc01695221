import { tmpdir } from 'node:os';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { createReadiness, type ReadinessOptions } from './readiness.ts';

const well = { stopping: false, heartbeatAgeMilliseconds: 1_000 };

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

test('looks at no disk without a folder', async () => {
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
  ['store', async () => ({ store: { readTask: () => new Promise(() => {}) } })],
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

test('asks the store again only after a while', async () => {
  let reads = 0;
  const store = { readTask: async () => void (reads += 1) };
  const check = createReadiness({ store, health: () => well });
  await Promise.all([check(), check()]);
  await check();
  expect(reads).toBe(1);
});
