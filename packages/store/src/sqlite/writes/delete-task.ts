import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../../columns.ts';
import type { DeleteTaskWrite, Outcome } from '../write.ts';
import type { TaskCounts } from './task-counts.ts';

/** Returns whether there was such a task and it had ended. */
export function prepareDeleteTask(
  database: DatabaseSync,
  counts: TaskCounts,
): (write: DeleteTaskWrite) => Outcome {
  const find = database.prepare('SELECT key, owner, state FROM tasks WHERE id = ? AND state IN (3, 4, 5, 7)');
  const removeRows = database.prepare(
    'DELETE FROM journal WHERE position BETWEEN ? << 32 AND (? << 32) + 4294967295',
  );
  const removeSnapshot = database.prepare('DELETE FROM snapshots WHERE task = ?');
  const removeTask = database.prepare('DELETE FROM tasks WHERE key = ?');
  const removeKeys = database.prepare('DELETE FROM idempotency WHERE task_id = ?');

  return ([, taskId]) => {
    const task = find.get(taskId);
    if (task === undefined) return false;
    const key = integer(task, 'key');
    removeRows.run(key, key);
    removeSnapshot.run(key);
    removeTask.run(key);
    removeKeys.run(taskId);
    counts.add(text(task, 'owner'), integer(task, 'state'), -1);
    return true;
  };
}
