import { describe, expect, it } from 'vitest';
import { CommitListeners } from './commit-listeners.ts';

describe('CommitListeners', () => {
  it('keeps the same function added twice as two listeners', () => {
    const listeners = new CommitListeners();
    const heard: number[] = [];
    const listener = (commits: readonly { lastSequence: number }[]) => heard.push(commits.length);
    const leave = listeners.add(listener);
    listeners.add(listener);
    listeners.announce([{ taskId: 'task', lastSequence: 1 }]);
    leave();
    leave();
    listeners.announce([{ taskId: 'task', lastSequence: 2 }]);
    expect(heard).toEqual([1, 1, 1]);
  });

  it('does not call anybody about nothing', () => {
    const listeners = new CommitListeners();
    let calls = 0;
    listeners.add(() => (calls += 1));
    listeners.announce([]);
    expect(calls).toBe(0);
  });
});
