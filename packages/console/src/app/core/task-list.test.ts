import { expect, test } from 'vitest';
import type { TaskPage, TaskRow } from '../../api/tasks.ts';
import { LATER_ROWS, PAGE_ROWS, TaskList } from './task-list.ts';

const OWNER = { caller: 'anonymous', tenant: null, key: 'k' };

function task(number: number, state: TaskRow['state'] = 'TASK_STATE_WORKING'): TaskRow {
  const createdAt = new Date(1_000_000_000_000 + number * 1000).toISOString();
  return {
    id: `t${number}`,
    contextId: 'c',
    state,
    owner: OWNER,
    agent: null,
    createdAt,
    statusAt: createdAt,
    statusText: null,
    lastSequence: 1,
  };
}

/** Tasks from the newest, `t999`, down to `t0`, as a server returns them. */
function listOf(count: number): { list: TaskList; reads: string[] } {
  const reads: string[] = [];
  const read = async (cursor: string | undefined, limit: number): Promise<TaskPage> => {
    reads.push(cursor ?? 'first');
    const from = cursor === undefined ? count : Number(cursor);
    const until = Math.max(0, from - limit);
    const tasks = Array.from({ length: from - until }, (_, index) => task(from - 1 - index));
    return {
      tasks,
      sortedBy: 'createdAt',
      nextCursor: until === 0 ? null : String(until),
      total: count,
      searchedUntil: null,
    };
  };
  return { list: new TaskList({ read, changed: () => undefined }), reads };
}

test('reads pages before they are scrolled to', async () => {
  const { list, reads } = listOf(1000);
  await list.show(0, 30);
  expect([list.length, list.hasMore, list.row(0)?.id, list.row(150)]).toEqual([100, true, 't999', undefined]);
  // The last row that a list of 100 can show.
  await list.show(70, 99);
  expect([list.length, list.row(150)?.id]).toEqual([PAGE_ROWS + LATER_ROWS, 't849']);
  await list.show(570, 599);
  expect([list.length, list.hasMore, list.row(999)?.id]).toEqual([1000, false, 't0']);
  expect(reads).toHaveLength(3);
});

test('reads what is on the screen by the time that a page has arrived', async () => {
  const { list, reads } = listOf(10_000);
  await Promise.all([list.show(0, 30), list.show(80, 99), list.show(2_000, 2_030)]);
  expect(list.row(2_030)?.id).toBe('t7969');
  // The first hundred, then five hundred at a time until as many are ready below the screen.
  expect(reads).toHaveLength(6);
});

test('forgets rows that are far away, and reads them again by their cursor', async () => {
  const { list, reads } = listOf(10_000);
  await list.show(0, 9000);
  await list.show(8900, 9000);
  expect(list.row(0)).toBeUndefined();
  expect(list.length).toBe(9600);
  const before = reads.length;
  await list.show(0, 30);
  expect(list.row(0)?.id).toBe('t9999');
  expect(list.row(9_000)).toBeUndefined();
  expect(reads.slice(before)).toEqual(['first']);
});

test('a search that finds nothing stops, says how far it got, and goes on when it is asked to', async () => {
  let reads = 0;
  const list = new TaskList({
    read: async () => {
      reads += 1;
      const searchedUntil = new Date(1_000_000_000_000 - reads * 1000).toISOString();
      return { tasks: [], sortedBy: 'createdAt', nextCursor: String(reads), total: null, searchedUntil };
    },
    changed: () => undefined,
  });
  await list.show(0, 30);
  expect([reads, list.length, list.hasMore, list.isLoaded]).toEqual([20, 0, true, true]);
  expect(list.searchedUntil).toBe(new Date(1_000_000_000_000 - 20_000).toISOString());
  await list.show(0, 30);
  expect(reads).toBe(40);
});

test('a change is shown in place, a new task on top', async () => {
  const { list } = listOf(100);
  await list.show(0, 30);
  list.apply({ type: 'task', task: task(50, 'TASK_STATE_COMPLETED') }, { atTop: true });
  expect(list.row(49)).toMatchObject({ id: 't50', state: 'TASK_STATE_COMPLETED' });
  list.apply({ type: 'task', task: task(200) }, { atTop: true });
  expect([list.row(0)?.id, list.row(1)?.id, list.length]).toEqual(['t200', 't99', 101]);
});

test('new tasks wait while somebody reads further down', async () => {
  const { list } = listOf(100);
  await list.show(0, 30);
  list.apply({ type: 'task', task: task(200) }, { atTop: false });
  list.apply({ type: 'task', task: task(200, 'TASK_STATE_FAILED') }, { atTop: false });
  expect([list.waiting, list.row(0)?.id]).toEqual([1, 't99']);
  list.showWaiting();
  expect([list.waiting, list.row(0)?.state]).toEqual([0, 'TASK_STATE_FAILED']);
});

test('an older task that is not loaded comes with its page', async () => {
  const { list } = listOf(1000);
  await list.show(0, 30);
  list.apply({ type: 'task', task: task(5) }, { atTop: true });
  expect(list.length).toBe(100);
});

test('an error is kept and the next attempt clears it', async () => {
  let fails = true;
  const list = new TaskList({
    read: async () => {
      if (fails) throw new Error('away');
      return { tasks: [task(1)], sortedBy: 'createdAt', nextCursor: null, total: 1, searchedUntil: null };
    },
    changed: () => undefined,
  });
  await list.show(0, 30);
  expect(list.error).toMatchObject({ message: 'away' });
  fails = false;
  await list.show(0, 30);
  expect([list.error, list.length]).toEqual([undefined, 1]);
});
