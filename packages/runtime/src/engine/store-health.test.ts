import { openMemoryStore, type Store, StoreError } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { noopObserver } from '../observe/observer.ts';
import { startEngine } from './engine.ts';
import { CommitHealth, startHeartbeat } from './store-health.ts';
import { collectingLog, turnInput } from './testing/start-test-engine.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
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
  expect(heartbeat.failure).toMatchObject({ code: 'unavailable' });
  failing = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(begun).toBe(3);
  expect(heartbeat.failure).toBeUndefined();
  expect(lines).toEqual([expect.anything(), expect.stringContaining('The heartbeat is written again.')]);
  heartbeat.stop();
});

test('keeps beating while the action takes long', async () => {
  const store = openMemoryStore();
  const heartbeat = await start(store, [], () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heartbeat.ageMilliseconds).toBeLessThan(5_000);
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

const full = new StoreError('unavailable', 'The disk is full.', { cause: new Error('ENOSPC') });

function openHealth(): { health: CommitHealth; errors: [string, unknown][] } {
  const errors: [string, unknown][] = [];
  const error = (message: string, fields?: unknown): void => void errors.push([message, fields]);
  return { health: new CommitHealth({ info: () => {}, warn: () => {}, error }), errors };
}

test('logs the reason once for all tasks and retries, from the second failure on', () => {
  const { health, errors } = openHealth();
  health.failed('t-1', full, 1, false);
  expect(errors).toEqual([]);
  for (const failures of [2, 3, 4])
    for (const task of ['t-1', 't-2']) health.failed(task, full, failures, false);
  expect(errors).toEqual([
    [
      expect.stringContaining('The store failed.'),
      { taskId: 't-1', code: 'unavailable', error: 'The disk is full: ENOSPC' },
    ],
  ]);
});

test('logs the first failure of a commit that is not retried', () => {
  const { health, errors } = openHealth();
  health.failed('t-1', new StoreError('corrupt', 'Its pages are damaged.'), 1, true);
  expect(errors).toHaveLength(1);
});

test('is failing until a commit succeeds, or nothing has failed for a while', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { health } = openHealth();
  expect(health.failure).toBeUndefined();
  health.failed('t-1', full, 1, false);
  expect(health.failure).toBe(full);
  health.succeeded();
  expect(health.failure).toBeUndefined();
  health.failed('t-1', full, 1, false);
  vi.advanceTimersByTime(15_000);
  expect(health.failure).toBeUndefined();
});

test('is failing for as long as the data is damaged, and says so once', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { health, errors } = openHealth();
  const damaged = new StoreError('corrupt', 'Its pages are damaged.');
  for (let request = 0; request < 3; request += 1) health.noticeDamage(damaged);
  health.noticeDamage(new Error('a bug'));
  vi.advanceTimersByTime(3_600_000);
  expect(health.failure).toBe(damaged);
  expect(errors).toHaveLength(1);
  health.succeeded();
  expect(health.failure).toBeUndefined();
});

test('does not count a task that was taken over as a failure of the store', () => {
  const { health, errors } = openHealth();
  health.failed('t-1', new StoreError('stale-fence', 'Another process has the task.'), 1, true);
  health.failed('t-1', new Error('a bug'), 1, true);
  expect([health.failure, errors]).toEqual([undefined, []]);
});

test('an engine whose store rejects commits says so once, and recovers with the store', async () => {
  const memory = openMemoryStore();
  let isFull = true;
  let attempts = 0;
  const store: Store = overrideStore(memory, {
    createTask: async (task) => {
      attempts += 1;
      if (isFull) throw full;
      return memory.createTask(task);
    },
  });
  const errors: string[] = [];
  const log = (message: string): void => void errors.push(message);
  const engine = await startEngine({
    store,
    executor: { execute: async () => {} },
    log: { info: () => {}, warn: log, error: log },
    observer: noopObserver,
    includeSequence: true,
    maxConcurrentTurns: 10,
    maxQueuedTurns: 10,
    reservedPercent: 0,
    maxAttempts: 1,
  });
  onTestFinished(() => engine.stop(0));
  const turns = [engine.turns.begin(turnInput('one')), engine.turns.begin(turnInput('two'))];
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(6));
  expect(engine.commitFailure).toMatchObject({ code: 'unavailable' });
  expect(errors).toEqual([expect.stringContaining('The store failed.')]);
  isFull = false;
  await Promise.all(turns);
  expect(engine.commitFailure).toBeUndefined();
  expect(errors).toEqual([expect.anything(), 'The store accepts commits again.']);
});

test.each<[string, () => Promise<never>]>([
  ['does not respond any more', () => new Promise(() => {})],
  ['rejects everything, as on a full disk', () => Promise.reject(full)],
])('an engine stops in some seconds although its store %s', async (_, failure) => {
  vi.useRealTimers();
  const memory = openMemoryStore();
  let fails = false;
  const unlessItFails = <T>(call: () => Promise<T>): Promise<T> => (fails ? failure() : call());
  const store = overrideStore(memory, {
    append: (append) => unlessItFails(() => memory.append(append)),
    heartbeat: (holder, ttl) => unlessItFails(() => memory.heartbeat(holder, ttl)),
    getRecord: (...record) => unlessItFails(() => memory.getRecord(...record)),
  });
  const engine = await startEngine({
    store,
    executor: { execute: () => new Promise(() => {}) },
    log: collectingLog([]),
    observer: noopObserver,
    includeSequence: true,
    maxConcurrentTurns: 1,
    maxQueuedTurns: 10,
    reservedPercent: 0,
    maxAttempts: 1,
    push: {},
  });
  await engine.turns.begin(turnInput('one'));
  await engine.turns.begin(turnInput('two'));
  fails = true;
  const startedAt = performance.now();
  await engine.stop(100);
  expect(performance.now() - startedAt).toBeLessThan(5_500);
});
