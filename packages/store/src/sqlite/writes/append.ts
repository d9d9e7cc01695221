import type { DatabaseSync } from 'node:sqlite';
import { sequenceConflict, staleFence, unknownTask } from '../../rejections.ts';
import { integer, text } from '../../columns.ts';
import type { AppendWrite, Outcome } from '../write.ts';
import type { InsertJournalRows } from './insert-journal-rows.ts';
import { prepareTakeIdempotencyKey } from './take-idempotency-key.ts';
import type { TaskCounts } from './task-counts.ts';

export function prepareAppend(
  database: DatabaseSync,
  counts: TaskCounts,
  insertJournalRows: InsertJournalRows,
): (write: AppendWrite) => Outcome {
  const findTail = database.prepare(`
    SELECT key, owner, state, fence, position & 4294967295 AS last_sequence, status_sequence
    FROM tasks JOIN journal ON position BETWEEN key << 32 AND (key << 32) + 4294967295
    WHERE id = ? ORDER BY position DESC LIMIT 1`);
  const updateStatus = database.prepare(
    'UPDATE tasks SET state = ?, status_time = ?, status = ?, holder = iif(?, NULL, holder) WHERE key = ?',
  );
  const releaseLease = database.prepare('UPDATE tasks SET holder = NULL WHERE key = ?');

  const takeIdempotencyKey = prepareTakeIdempotencyKey(database);

  return ([, taskId, fence, firstSequence, state, statusTime, status, release, idempotency, rows]) => {
    const tail = findTail.get(taskId);
    if (tail === undefined) throw unknownTask(taskId);
    const currentFence = integer(tail, 'fence');
    if (currentFence !== fence) throw staleFence(taskId, fence, currentFence);
    const nextSequence = integer(tail, 'last_sequence') + 1;
    if (firstSequence !== nextSequence) throw sequenceConflict(taskId, firstSequence, nextSequence);

    const key = integer(tail, 'key');
    insertJournalRows(key, firstSequence, integer(tail, 'status_sequence'), rows);
    if (state !== 0) {
      updateStatus.run(state, statusTime, status, release ? 1 : 0, key);
      const owner = text(tail, 'owner');
      counts.add(owner, integer(tail, 'state'), -1);
      counts.add(owner, state, 1);
    } else if (release) {
      releaseLease.run(key);
    }
    if (idempotency !== null) takeIdempotencyKey(taskId, idempotency);
    return undefined;
  };
}
