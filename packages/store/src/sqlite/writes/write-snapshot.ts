import type { DatabaseSync } from 'node:sqlite';
import { unknownTask } from '../../rejections.ts';
import { integer } from '../../columns.ts';
import type { Outcome, WriteSnapshotWrite } from '../write.ts';

export function prepareWriteSnapshot(database: DatabaseSync): (write: WriteSnapshotWrite) => Outcome {
  const findTask = database.prepare('SELECT key FROM tasks WHERE id = ?');
  const upsert = database.prepare(`
    INSERT INTO snapshots (task, sequence, json) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET sequence = excluded.sequence, json = excluded.json
    WHERE excluded.sequence >= sequence`);

  return ([, taskId, sequence, json]) => {
    const task = findTask.get(taskId);
    if (task === undefined) throw unknownTask(taskId);
    upsert.run(integer(task, 'key'), sequence, json);
    return undefined;
  };
}
