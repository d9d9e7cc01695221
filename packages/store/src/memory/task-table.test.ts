import { expect, it } from 'vitest';
import { sampleStatus, sampleTask } from '../testing/sample-task.ts';
import { newTaskRow, type TaskRow } from './task-row.ts';
import { TaskTable } from './task-table.ts';

const TASKS = 5000;
const PAGE = 10;
/** Each search in a sorted list looks at about log2(TASKS) rows. */
const FEW = 20 * PAGE;

/** A row that counts how often anybody looks at it. */
function watchedRow(row: TaskRow, onLook: () => void): TaskRow {
  const { header } = row;
  return Object.defineProperty({ ...row }, 'header', {
    get() {
      onLook();
      return header;
    },
  });
}

it('looks at as many tasks as a page has, not at all of them', () => {
  let looks = 0;
  const table = new TaskTable();
  for (let key = 1; key <= TASKS; key += 1) {
    const state = key % 2 === 0 ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED';
    const task = sampleTask({ contextId: `context-${key % 3}`, status: sampleStatus(state, key) });
    table.add(watchedRow(newTaskRow(task, key), () => (looks += 1)));
    table.takeIdempotencyKey(task.taskId, task.owner, { key: `key-${key}`, payloadHash: 'hash' });
  }
  const { reads } = table;
  const cursor = { statusTime: TASKS / 2, tieBreak: TASKS / 2 };
  const query = { owner: 'tenant/alice', limit: PAGE, cursor };
  const pages = {
    tasks: () => reads.listTasks(query),
    'of a context': () => reads.listTasks({ ...query, contextId: 'context-1' }),
    'in a state': () => reads.listTasks({ ...query, state: 'TASK_STATE_COMPLETED' }),
    'since a time': () => reads.listTasks({ ...query, statusTimeFrom: 100 }),
    ended: () => reads.listEnded({ until: TASKS, limit: PAGE, cursor }),
    surplus: () => reads.listExcess({ keep: 100, limit: PAGE, cursor: { owner: 'tenant/alice', ...cursor } }),
  };
  for (const [name, list] of Object.entries(pages)) {
    looks = 0;
    expect(list().tasks, name).toHaveLength(PAGE);
    expect(looks, name).toBeLessThan(FEW);
  }
  expect(reads.listTasks(query).totalSize).toBe(TASKS);

  looks = 0;
  const [oldest] = reads.listEnded({ until: TASKS, limit: 1 }).tasks;
  table.delete(oldest?.taskId ?? '');
  expect(looks).toBeLessThan(FEW);
  expect(reads.findIdempotencyKey('tenant/alice', 'key-2')).toBeUndefined();
  expect(reads.findIdempotencyKey('tenant/alice', 'key-4')).toBeDefined();
});
