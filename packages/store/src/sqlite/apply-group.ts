import type { DatabaseSync } from 'node:sqlite';
import { unknownTask } from '../rejections.ts';
import { integer } from '../sql/rows.ts';
import { isStoreError } from '../store-error.ts';
import { prepareJournalWrites } from './journal-writes.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';
import {
  toRejection,
  type AcquireLeaseWrite,
  type GroupResult,
  type Outcome,
  type ReplaceRecordWrite,
  type Write,
} from './write.ts';

/**
 * Writes a group in one transaction, so that all of it costs one disk sync. Each write is checked inside the transaction
 * before it changes anything, so a rejected write does not affect the others (J2, J3).
 */
export function prepareApplyGroup(database: DatabaseSync): (group: readonly Write[]) => GroupResult {
  const journals = prepareJournalWrites(database);
  const apply = prepareApply(database, journals);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');

  function applyOrReject(write: Write): Outcome {
    try {
      return apply(write);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      return toRejection(error);
    }
  }

  return (group) => {
    try {
      begin.run();
      const outcomes = group.map(applyOrReject);
      journals.counts.write();
      commit.run();
      return outcomes;
    } catch (error) {
      journals.counts.discard();
      rollBack(database);
      return toRejection(storeErrorFromSqlite(error, 'holdword.db'));
    }
  };
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // After some failures SQLite has already rolled back, and there is no transaction left to end.
  }
}

type JournalWrites = ReturnType<typeof prepareJournalWrites>;

function prepareApply(database: DatabaseSync, journals: JournalWrites): (write: Write) => Outcome {
  const acquireLease = prepareAcquireLease(database);
  const replaceRecord = prepareReplaceRecord(database);
  const releaseLease = database.prepare('UPDATE tasks SET holder = NULL WHERE id = ? AND fence = ?');
  const upsertHolder = database.prepare(
    'INSERT INTO holders (id, expires_at) VALUES (?, ?) ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at',
  );
  const upsertRecord = database.prepare(
    'INSERT INTO records (namespace, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const deleteRecord = database.prepare(
    'DELETE FROM records WHERE namespace = ? AND key = ? AND (? IS NULL OR value = ?)',
  );

  return (write) => {
    switch (write[0]) {
      case 'create-task':
        return journals.createTask(write);
      case 'append':
        return journals.append(write);
      case 'write-snapshot':
        return journals.writeSnapshot(write);
      case 'delete-task':
        return journals.deleteTask(write);
      case 'trim-journal':
        return journals.trimJournal(write);
      case 'acquire-lease':
        return acquireLease(write);
      case 'release-lease': {
        const [, taskId, fence] = write;
        releaseLease.run(taskId, fence);
        return undefined;
      }
      case 'heartbeat': {
        const [, holder, expiresAt] = write;
        upsertHolder.run(holder, expiresAt);
        return undefined;
      }
      case 'put-record': {
        const [, namespace, key, value] = write;
        upsertRecord.run(namespace, key, value);
        return undefined;
      }
      case 'replace-record':
        return replaceRecord(write);
      case 'delete-record':
      default: {
        const [, namespace, key, expected] = write;
        return deleteRecord.run(namespace, key, expected, expected).changes > 0;
      }
    }
  };
}

/** Returns the new fence, or nothing if another living process holds the task. */
function prepareAcquireLease(database: DatabaseSync): (write: AcquireLeaseWrite) => Outcome {
  const findTask = database.prepare(`
    SELECT key, holder, fence, EXISTS (SELECT 1 FROM holders WHERE id = holder AND expires_at > ?) AS held
    FROM tasks WHERE id = ?`);
  const take = database.prepare('UPDATE tasks SET holder = ?, fence = ? WHERE key = ?');

  return ([, taskId, holder, now, force]) => {
    const task = findTask.get(now, taskId);
    if (task === undefined) throw unknownTask(taskId);
    const heldByAnother = integer(task, 'held') === 1 && task['holder'] !== holder;
    if (heldByAnother && !force) return undefined;
    const fence = integer(task, 'fence') + 1;
    take.run(holder, fence, integer(task, 'key'));
    return fence;
  };
}

/** Returns whether the record had the expected value and was replaced. */
function prepareReplaceRecord(database: DatabaseSync): (write: ReplaceRecordWrite) => Outcome {
  const insert = database.prepare(
    'INSERT INTO records (namespace, key, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const update = database.prepare(
    'UPDATE records SET value = ? WHERE namespace = ? AND key = ? AND value = ?',
  );
  return ([, namespace, key, expected, value]) => {
    const { changes } =
      expected === null ? insert.run(namespace, key, value) : update.run(value, namespace, key, expected);
    return changes > 0;
  };
}
