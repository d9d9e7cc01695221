import { openMemoryStore, type CommitListener, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommitHints } from './commit-hints.ts';

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
