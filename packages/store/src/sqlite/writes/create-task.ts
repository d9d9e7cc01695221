import type { DatabaseSync } from 'node:sqlite';
import { taskExists } from '../../rejections.ts';
import { prepareFindIdempotencyKey } from '../reads/find-idempotency-key.ts';
import type { CreateTaskWrite, Outcome } from '../write.ts';
import type { InsertJournalRows } from './insert-journal-rows.ts';
import { prepareTakeIdempotencyKey } from './take-idempotency-key.ts';
import type { TaskCounts } from './task-counts.ts';

/** Returns the existing entry if the idempotency key is taken. */
export function prepareCreateTask(
  database: DatabaseSync,
  counts: TaskCounts,
  insertJournalRows: InsertJournalRows,
): (write: CreateTaskWrite) => Outcome {
  const findIdempotencyKey = prepareFindIdempotencyKey(database);
  const takeIdempotencyKey = prepareTakeIdempotencyKey(database);
  const insertTask = database.prepare(`
    INSERT INTO tasks (id, owner, context_id, state, status_time, status, created_at, holder, fence)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT (id) DO NOTHING`);

  return ([, taskId, owner, contextId, state, statusTime, status, holder, idempotency, rows]) => {
    if (idempotency !== null) {
      const existing = findIdempotencyKey(idempotency[0], idempotency[1]);
      if (existing !== undefined) return existing;
    }
    const inserted = insertTask.run(taskId, owner, contextId, state, statusTime, status, statusTime, holder);
    if (inserted.changes === 0) throw taskExists(taskId);
    if (idempotency !== null) takeIdempotencyKey(taskId, idempotency);
    insertJournalRows(inserted.lastInsertRowid, 1, 0, rows);
    counts.add(owner, state, 1);
    return undefined;
  };
}
