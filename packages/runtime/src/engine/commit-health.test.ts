import { openMemoryStore, StoreError, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noopObserver } from '../observe/observer.ts';
import { CommitHealth } from './commit-health.ts';
import { startEngine } from './engine.ts';
import { turnInput } from './testing/start-test-engine.ts';

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
      expect.stringContaining('The store rejects commits.'),
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
  expect(health.isFailing).toBe(false);
  health.failed('t-1', full, 1, false);
  expect(health.isFailing).toBe(true);
  health.succeeded();
  expect(health.isFailing).toBe(false);
  health.failed('t-1', full, 1, false);
  vi.advanceTimersByTime(15_000);
  expect(health.isFailing).toBe(false);
});

test('does not count a task that was taken over as a failure of the store', () => {
  const { health, errors } = openHealth();
  health.failed('t-1', new StoreError('stale-fence', 'Another process has the task.'), 1, true);
  health.failed('t-1', new Error('a bug'), 1, true);
  expect([health.isFailing, errors]).toEqual([false, []]);
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
  const engine = await startEngine({
    store,
    executor: { execute: async () => {} },
    log: { info: () => {}, warn: () => {}, error: (message) => void errors.push(message) },
    observer: noopObserver,
    includeSequence: true,
    maxConcurrentTurns: 10,
    maxQueuedTurns: 10,
    maxAttempts: 1,
  });
  onTestFinished(() => engine.stop(0));
  const turns = [engine.turns.begin(turnInput('one')), engine.turns.begin(turnInput('two'))];
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(6));
  expect(engine.commitsFailing).toBe(true);
  expect(errors).toEqual([expect.stringContaining('The store rejects commits.')]);
  isFull = false;
  await Promise.all(turns);
  expect(engine.commitsFailing).toBe(false);
  expect(errors).toHaveLength(1);
});
