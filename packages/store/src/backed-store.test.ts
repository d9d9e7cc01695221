import { describe, expect, it } from 'vitest';
import { CommitListeners } from './backed-store.ts';

describe('CommitListeners', () => {
  it('keeps the same function added twice as two listeners', () => {
    const listeners = new CommitListeners();
    const received: number[] = [];
    const listener = (commits: readonly { lastSequence: number }[]) => received.push(commits.length);
    const remove = listeners.add(listener);
    listeners.add(listener);
    listeners.announce([{ taskId: 'task', lastSequence: 1 }]);
    remove();
    remove();
    listeners.announce([{ taskId: 'task', lastSequence: 2 }]);
    expect(received).toEqual([1, 1, 1]);
  });

  it('does not call listeners without commits', () => {
    const listeners = new CommitListeners();
    let calls = 0;
    listeners.add(() => (calls += 1));
    listeners.announce([]);
    expect(calls).toBe(0);
  });
});
