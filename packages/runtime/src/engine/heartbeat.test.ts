import { openMemoryStore, StoreError, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';
import { collectingLog } from './testing/start-test-engine.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const start = (store: Store, lines: string[], onBeat: () => Promise<void>) =>
  startHeartbeat({ store, holder: 'here', log: collectingLog(lines), leaseMilliseconds: 15_000, onBeat });

test('keeps this process alive in the store as long as it beats', async () => {
  const store = openMemoryStore();
  const status = { state: 'TASK_STATE_WORKING' as const, time: 0, json: '{}' };
  await store.createTask({
    taskId: 't',
    owner: 'me',
    contextId: 'c',
    holder: 'here',
    status,
    entries: [{ json: '{}' }],
  });
  const heartbeat = await start(store, [], async () => {});
  for (let minute = 0; minute < 3; minute += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await store.listOrphans(1)).toEqual([]);
  }
  heartbeat.stop();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await store.listOrphans(1)).toEqual([]);
  await heartbeat.expire();
  expect(await store.listOrphans(1)).toHaveLength(1);
});

test('runs the action with each beat, never twice at once, and continues after a failure', async () => {
  const memory = openMemoryStore();
  const lines: string[] = [];
  let failing = false;
  const store = overrideStore(memory, {
    heartbeat: async (holder, ttl) => {
      if (failing) throw new StoreError('unavailable', 'The disk is full.');
      return memory.heartbeat(holder, ttl);
    },
  });
  let begun = 0;
  const releases: (() => void)[] = [];
  const heartbeat = await start(store, lines, () => {
    begun += 1;
    return new Promise((resolve) => releases.push(resolve));
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(begun).toBe(1);
  releases.shift()?.();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(begun).toBe(2);
  releases.shift()?.();
  failing = true;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(lines).toEqual([expect.stringContaining('Could not write the heartbeat')]);
  expect(begun).toBe(2);
  expect(heartbeat.isFailing).toBe(true);
  failing = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(begun).toBe(3);
  expect(heartbeat.isFailing).toBe(false);
  heartbeat.stop();
});

test('keeps beating while the action takes long', async () => {
  const store = openMemoryStore();
  const heartbeat = await start(store, [], () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Date.now() - heartbeat.lastBeat).toBeLessThan(5_000);
  heartbeat.stop();
});

test('pauses the action after a gap, so that others can renew their heartbeats', async () => {
  const memory = openMemoryStore();
  let isAway = false;
  const store = overrideStore(memory, {
    heartbeat: async (holder, ttl) => {
      if (isAway) throw new StoreError('unavailable', 'The database restarts.');
      return memory.heartbeat(holder, ttl);
    },
  });
  let begun = 0;
  const heartbeat = await start(store, [], async () => void (begun += 1));
  isAway = true;
  await vi.advanceTimersByTimeAsync(20_000);
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toBeGreaterThan(0);
  heartbeat.stop();
});

test('cannot start without the store', async () => {
  const store = openMemoryStore();
  await store.close();
  await expect(start(store, [], async () => {})).rejects.toMatchObject({
    code: 'closed',
  });
});
