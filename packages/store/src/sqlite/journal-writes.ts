import type { DatabaseSync } from 'node:sqlite';
import { sequenceConflict, staleFence, taskExists, unknownTask } from '../rejections.ts';
import { ENDED, integer, type JournalRow, type Row, storedText } from '../sql/rows.ts';
import { prepareFindIdempotencyKey } from './journal-reads.ts';
import type {
  AppendWrite,
  CreateTaskWrite,
  DeleteTaskWrite,
  IdempotencyTuple,
  Outcome,
  TrimJournalWrite,
  WriteSnapshotWrite,
} from './write.ts';

/** The writes to tasks and their journals. They throw a StoreError before they change anything (J2, J3). */
export function prepareJournalWrites(database: DatabaseSync) {
  const counts = prepareTaskCounts(database);
  const insertJournalRows = prepareInsertJournalRows(database);
  return {
    counts,
    createTask: prepareCreateTask(database, counts, insertJournalRows),
    append: prepareAppend(database, counts, insertJournalRows),
    writeSnapshot: prepareWriteSnapshot(database, counts),
    deleteTask: prepareDeleteTask(database, counts),
    trimJournal: prepareTrimJournal(database, counts),
  };
}

/** Returns the existing entry if the idempotency key is taken. */
function prepareCreateTask(
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
    counts.add(owner, state, 1, bytesOf(rows));
    return undefined;
  };
}

function prepareAppend(
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
    const owner = storedText(tail, 'owner');
    const stateBefore = integer(tail, 'state');
    insertJournalRows(key, firstSequence, integer(tail, 'status_sequence'), rows);
    if (state !== 0) {
      updateStatus.run(state, statusTime, status, release ? 1 : 0, key);
      counts.add(owner, stateBefore, -1, 0);
      counts.add(owner, state, 1, bytesOf(rows));
    } else {
      if (release) releaseLease.run(key);
      counts.add(owner, stateBefore, 0, bytesOf(rows));
    }
    if (idempotency !== null) takeIdempotencyKey(taskId, idempotency);
    return undefined;
  };
}

type InsertJournalRows = (
  taskKey: number | bigint,
  firstSequence: number,
  /** The newest event before these rows that changes the status, 0 if there is none. */
  statusSequence: number,
  rows: readonly JournalRow[],
) => void;

function prepareInsertJournalRows(database: DatabaseSync): InsertJournalRows {
  const statement = database.prepare(
    'INSERT INTO journal (position, first_sequence, status_sequence, lines) VALUES ((? << 32) + ?, ?, ?, ?)',
  );
  return (taskKey, firstSequence, statusSequence, rows) => {
    let first = firstSequence;
    let newestStatus = statusSequence;
    for (const [count, statusIndex, lines] of rows) {
      if (statusIndex >= 0) newestStatus = first + statusIndex;
      statement.run(taskKey, first + count - 1, first, newestStatus, lines);
      first += count;
    }
  };
}

/** A key stays with the task that took it first. */
function prepareTakeIdempotencyKey(
  database: DatabaseSync,
): (taskId: string, idempotency: IdempotencyTuple) => void {
  const insert = database.prepare(`
    INSERT INTO idempotency (owner, key, task_id, payload_hash) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  return (taskId, [owner, key, payloadHash]) => {
    insert.run(owner, key, taskId, payloadHash);
  };
}

function bytesOf(rows: readonly JournalRow[]): number {
  let bytes = 0;
  for (const [, , lines] of rows) bytes += Buffer.byteLength(lines);
  return bytes;
}

/** Collects the changes to the task counts per owner and state within a transaction, and writes the sums once. */
interface TaskCounts {
  /** Bytes count for the owner, whatever the state. */
  add(owner: string, state: number, tasks: number, bytes: number): void;
  write(): void;
  discard(): void;
}

function prepareTaskCounts(database: DatabaseSync): TaskCounts {
  const statement = database.prepare(`
    INSERT INTO counts (owner, state, n, bytes) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET n = n + excluded.n, bytes = bytes + excluded.bytes`);
  const changes = new Map<string, Map<number, { tasks: number; bytes: number }>>();
  return {
    add(owner, state, tasks, bytes) {
      let ofOwner = changes.get(owner);
      if (ofOwner === undefined) changes.set(owner, (ofOwner = new Map()));
      const change = ofOwner.get(state);
      if (change === undefined) {
        ofOwner.set(state, { tasks, bytes });
        return;
      }
      change.tasks += tasks;
      change.bytes += bytes;
    },
    write() {
      for (const [owner, ofOwner] of changes) {
        for (const [state, { tasks, bytes }] of ofOwner)
          if (tasks !== 0 || bytes !== 0) statement.run(owner, state, tasks, bytes);
      }
      changes.clear();
    },
    discard() {
      changes.clear();
    },
  };
}

function prepareWriteSnapshot(
  database: DatabaseSync,
  counts: TaskCounts,
): (write: WriteSnapshotWrite) => Outcome {
  const findTask = database.prepare(`
    SELECT key, owner, state, coalesce(octet_length(json), 0) AS bytes_before
    FROM tasks LEFT JOIN snapshots ON task = key WHERE id = ?`);
  const upsert = database.prepare(`
    INSERT INTO snapshots (task, sequence, json) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET sequence = excluded.sequence, json = excluded.json
    WHERE excluded.sequence >= sequence`);

  return ([, taskId, sequence, json]) => {
    const task = findTask.get(taskId);
    if (task === undefined) throw unknownTask(taskId);
    const { changes } = upsert.run(integer(task, 'key'), sequence, json);
    if (changes === 0) return undefined;
    const growth = Buffer.byteLength(json) - integer(task, 'bytes_before');
    counts.add(storedText(task, 'owner'), integer(task, 'state'), 0, growth);
    return undefined;
  };
}

/** Returns whether there was such a task and it had ended. */
function prepareDeleteTask(database: DatabaseSync, counts: TaskCounts): (write: DeleteTaskWrite) => Outcome {
  const find = database.prepare(`SELECT key, owner, state FROM tasks WHERE id = ? AND ${ENDED}`);
  const removeRows = database.prepare(`
    DELETE FROM journal WHERE position BETWEEN ? << 32 AND (? << 32) + 4294967295
    RETURNING octet_length(lines) AS bytes`);
  const removeSnapshot = database.prepare(
    'DELETE FROM snapshots WHERE task = ? RETURNING octet_length(json) AS bytes',
  );
  const removeTask = database.prepare('DELETE FROM tasks WHERE key = ?');
  const removeKeys = database.prepare('DELETE FROM idempotency WHERE task_id = ?');

  return ([, taskId]) => {
    const task = find.get(taskId);
    if (task === undefined) return false;
    const key = integer(task, 'key');
    const freed = sumOfBytes(removeRows.all(key, key)) + sumOfBytes(removeSnapshot.all(key));
    removeTask.run(key);
    removeKeys.run(taskId);
    counts.add(storedText(task, 'owner'), integer(task, 'state'), -1, -freed);
    return true;
  };
}

function sumOfBytes(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + integer(row, 'bytes'), 0);
}

/** Returns whether the journal was trimmed: the task must have ended and its snapshot must be complete. */
function prepareTrimJournal(
  database: DatabaseSync,
  counts: TaskCounts,
): (write: TrimJournalWrite) => Outcome {
  const findTail = database.prepare(`
    SELECT key, owner, state, position, position & 4294967295 AS last_sequence, lines
    FROM tasks JOIN snapshots ON task = key
    JOIN journal ON position = (
      SELECT max(position) FROM journal WHERE position BETWEEN key << 32 AND (key << 32) + 4294967295)
    WHERE id = ? AND ${ENDED} AND sequence = position & 4294967295`);
  const removeRows = database.prepare(
    'DELETE FROM journal WHERE position BETWEEN ? << 32 AND ? - 1 RETURNING octet_length(lines) AS bytes',
  );
  const keepLast = database.prepare('UPDATE journal SET first_sequence = ?, lines = ? WHERE position = ?');
  const mark = database.prepare('UPDATE tasks SET trimmed = 1 WHERE key = ?');

  return ([, taskId]) => {
    const tail = findTail.get(taskId);
    if (tail === undefined) return false;
    const key = integer(tail, 'key');
    const position = integer(tail, 'position');
    const lines = storedText(tail, 'lines');
    const kept = lines.slice(lines.lastIndexOf('\n') + 1);
    const freed =
      sumOfBytes(removeRows.all(key, position)) + Buffer.byteLength(lines) - Buffer.byteLength(kept);
    keepLast.run(integer(tail, 'last_sequence'), kept, position);
    mark.run(key);
    counts.add(storedText(tail, 'owner'), integer(tail, 'state'), 0, -freed);
    return true;
  };
}
