import { type CommitListener, openMemoryStore, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { CommitHints, Wakeups } from './commit-hints.ts';

const never = new AbortController().signal;

describe('CommitHints', () => {
  let store: Store;
  let tell: CommitListener;
  let hints: CommitHints;
  beforeEach(() => {
    store = openMemoryStore();
    hints = new CommitHints(
      overrideStore(store, {
        onCommit: (listener) => {
          tell = listener;
          return () => {};
        },
      }),
    );
  });
  afterEach(async () => {
    hints.close();
    await store.close();
  });

  it('wakes the readers of the committed task, and says how far it is committed', async () => {
    const watch = hints.watch('task-1');
    const other = hints.watch('task-2');
    void other.wakeups.sleep(never);
    const woken = watch.wakeups.sleep(never);
    tell([{ taskId: 'task-1', lastSequence: 4 }]);
    await woken;
    expect([watch.known, other.known]).toEqual([4, 0]);
    expect(other.wakeups.size).toBe(1);
    expect(hints.missedEpoch).toBe(0);
  });

  it('wakes every reader when commits may have been missed, including one that is reading', async () => {
    const before = hints.missedEpoch;
    const woken = ['task-1', 'task-2'].map((taskId) => hints.watch(taskId).wakeups.sleep(never));
    tell([]);
    await Promise.all(woken);
    expect(hints.missedEpoch).toBeGreaterThan(before);
  });
});

test('wakes all sleepers, once', async () => {
  const wakeups = new Wakeups();
  const { signal } = new AbortController();
  const sleepers = [wakeups.sleep(signal), wakeups.sleep(signal)];
  expect(wakeups.size).toBe(2);
  wakeups.wakeAll();
  await Promise.all(sleepers);
  expect(wakeups.size).toBe(0);
});

test('a signal ends the sleep of its own sleeper only, and leaves nothing behind', async () => {
  const wakeups = new Wakeups();
  const impatient = new AbortController();
  const first = wakeups.sleep(impatient.signal);
  const second = wakeups.sleep(new AbortController().signal);
  impatient.abort();
  await first;
  expect(wakeups.size).toBe(1);
  await wakeups.sleep(impatient.signal);
  expect(wakeups.size).toBe(1);
  wakeups.wakeAll();
  await second;
});
