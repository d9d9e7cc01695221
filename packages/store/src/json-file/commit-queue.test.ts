import { describe, expect, it } from 'vitest';
import { unavailable } from '../rejections.ts';
import { CommitQueue } from './commit-queue.ts';

describe('CommitQueue', () => {
  it('groups changes of different subjects and separates changes of the same subject', async () => {
    const groups: string[][] = [];
    const queue = new CommitQueue<string>(
      async (group) => {
        groups.push([...group]);
        return group.map(() => undefined);
      },
      () => {},
    );
    const commit = (subjects: string[], name: string) =>
      queue.commit(subjects, () => ({ write: name, apply: () => name }));
    const results = await Promise.all([
      commit(['a'], 'a1'),
      commit(['a', 'b'], 'ab'),
      commit(['b'], 'b1'),
      commit(['c'], 'c1'),
      commit(['a'], 'a2'),
    ]);
    expect(results).toEqual(['a1', 'ab', 'b1', 'c1', 'a2']);
    expect(groups).toEqual([['a1', 'c1'], ['ab'], ['b1', 'a2']]);
  });

  it('checks each change against the result of the previous ones', async () => {
    let value = 0;
    const queue = new CommitQueue<number>(
      async (group) => group.map(() => undefined),
      () => {},
    );
    const increase = () =>
      queue.commit(['value'], () => {
        const next = value + 1;
        return { write: next, apply: () => (value = next) };
      });
    expect(await Promise.all([increase(), increase(), increase()])).toEqual([1, 2, 3]);
  });

  it('neither applies nor announces a change that could not be written', async () => {
    const announced: string[] = [];
    const applied: string[] = [];
    const failure = unavailable('the disk is full');
    const queue = new CommitQueue<string>(
      async (group) => group.map((name) => (name === 'bad' ? failure : undefined)),
      (written) => announced.push(...written),
    );
    const results = await Promise.allSettled(
      ['bad', 'good'].map((name) =>
        queue.commit([name], () => ({ write: name, apply: () => applied.push(name) })),
      ),
    );
    expect(results).toMatchObject([{ status: 'rejected', reason: failure }, { status: 'fulfilled' }]);
    expect(applied).toEqual(['good']);
    expect(announced).toEqual(['good']);
  });
});
