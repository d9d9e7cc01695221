import { describe, expect, it } from 'vitest';
import type { Write } from './write.ts';
import { WriteQueue } from './write-queue.ts';

function append(taskId: string, sequence: number, key?: string): { write: Write } {
  return {
    write: {
      kind: 'append',
      task_id: taskId,
      fence: 1,
      first_sequence: sequence,
      last_sequence: sequence,
      status_sequence: 0,
      releases: false,
      rows: [{ first: sequence, last: sequence, status: 0, lines: '{}' }],
      ...(key !== undefined && { owner: 'owner', key, payload_hash: 'hash' }),
    },
  };
}

function queueOf(...items: { write: Write }[]): WriteQueue<{ write: Write }> {
  const queue = new WriteQueue<{ write: Write }>();
  for (const item of items) queue.push(item);
  return queue;
}

describe('WriteQueue', () => {
  it('keeps writes to one task in order, one per group', () => {
    const [first, second] = [append('a', 1), append('a', 2)];
    const queue = queueOf(first, second);
    const group = queue.take(9);
    expect(group).toEqual([first]);
    expect(queue.take(9)).toEqual([]);
    queue.finish(group);
    expect(queue.take(9)).toEqual([second]);
  });

  it('lets other tasks overtake a waiting write, but not a later write with the same subject', () => {
    const inFlight = append('a', 1);
    const queue = queueOf(inFlight);
    queue.take(9);
    const waiting = append('a', 2, 'key');
    const sameKey = append('b', 1, 'key');
    const free = append('c', 1);
    for (const item of [waiting, sameKey, append('b', 2), free]) queue.push(item);
    expect(queue.take(9)).toEqual([free]);
    expect(queue.size).toBe(3);
  });

  it('takes no more than the maximum and keeps the rest in order', () => {
    const items = [append('a', 1), append('b', 1), append('a', 2), append('c', 1)];
    const queue = queueOf(...items);
    const group = queue.take(2);
    expect(group).toEqual(items.slice(0, 2));
    expect(queue.take(2)).toEqual(items.slice(3));
    queue.finish(group);
    expect(queue.take(2)).toEqual(items.slice(2, 3));
  });

  it('takes items first that were put first', () => {
    const queue = queueOf(append('a', 2));
    const urgent = append('a', 1);
    queue.pushFirst([urgent]);
    expect(queue.take(1)).toEqual([urgent]);
  });

  it('removes and returns matching items', () => {
    const [one, other] = [append('a', 1), append('b', 1)];
    const queue = queueOf(one, other);
    expect(queue.remove((item) => item === one)).toEqual([one]);
    expect(queue.take(9)).toEqual([other]);
  });
});
