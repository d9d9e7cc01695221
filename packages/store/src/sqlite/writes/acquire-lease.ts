import type { DatabaseSync } from 'node:sqlite';
import { unknownTask } from '../../rejections.ts';
import { integer, textOrNull } from '../../columns.ts';
import type { AcquireLeaseWrite, Outcome } from '../write.ts';

/** Returns the new fence, or nothing if another living process holds the task. */
export function prepareAcquireLease(database: DatabaseSync): (write: AcquireLeaseWrite) => Outcome {
  const findTask = database.prepare(`
    SELECT key, holder, fence, EXISTS (SELECT 1 FROM holders WHERE id = holder AND expires_at > ?) AS held
    FROM tasks WHERE id = ?`);
  const take = database.prepare('UPDATE tasks SET holder = ?, fence = ? WHERE key = ?');

  return ([, taskId, holder, now, force]) => {
    const task = findTask.get(now, taskId);
    if (task === undefined) throw unknownTask(taskId);
    const heldByAnother = integer(task, 'held') === 1 && textOrNull(task, 'holder') !== holder;
    if (heldByAnother && !force) return undefined;
    const fence = integer(task, 'fence') + 1;
    take.run(holder, fence, integer(task, 'key'));
    return fence;
  };
}
