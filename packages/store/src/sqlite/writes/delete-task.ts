import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../../columns.ts';
import type { DeleteTaskWrite, Outcome } from '../write.ts';
import type { TaskCounts } from './task-counts.ts';

/** Answers whether there was such a task that has ended. */
export function prepareDeleteTask(
  database: DatabaseSync,
  counts: TaskCounts,
): (write: DeleteTaskWrite) => Outcome {
  const find = database.prepare('SELECT key, owner, state FROM tasks WHERE id = ? AND state IN (3, 4, 5, 7)');
  const removals = [
    'DELETE FROM journal WHERE position BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295',
    'DELETE FROM snapshots WHERE task = ?1',
    'DELETE FROM tasks WHERE key = ?1',
  ].map((sql) => database.prepare(sql));
  const removeKeys = database.prepare('DELETE FROM idempotency WHERE task_id = ?');

  return ([, taskId]) => {
    const task = find.get(taskId);
    if (task === undefined) return false;
    for (const removal of removals) removal.run(integer(task, 'key'));
    removeKeys.run(taskId);
    counts.add(text(task, 'owner'), integer(task, 'state'), -1);
    return true;
  };
}
