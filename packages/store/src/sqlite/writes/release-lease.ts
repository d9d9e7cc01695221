import type { DatabaseSync } from 'node:sqlite';
import type { Outcome, ReleaseLeaseWrite } from '../write.ts';

export function prepareReleaseLease(database: DatabaseSync): (write: ReleaseLeaseWrite) => Outcome {
  const release = database.prepare('UPDATE tasks SET holder = NULL WHERE id = ? AND fence = ?');
  return ([, taskId, fence]) => {
    release.run(taskId, fence);
    return undefined;
  };
}
