import type { DatabaseSync } from 'node:sqlite';
import { isStoreError } from '../store-error.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';
import type { GroupResult, Outcome, Write } from './write.ts';
import { prepareAcquireLease } from './writes/acquire-lease.ts';
import { prepareAppend } from './writes/append.ts';
import { prepareCreateTask } from './writes/create-task.ts';
import { prepareDeleteRecord } from './writes/delete-record.ts';
import { prepareDeleteTask } from './writes/delete-task.ts';
import { prepareHeartbeat } from './writes/heartbeat.ts';
import { prepareInsertJournalRows } from './writes/insert-journal-rows.ts';
import { preparePutRecord } from './writes/put-record.ts';
import { prepareReleaseLease } from './writes/release-lease.ts';
import { prepareReplaceRecord } from './writes/replace-record.ts';
import { prepareTaskCounts } from './writes/task-counts.ts';
import { prepareTrimJournal } from './writes/trim-journal.ts';
import { prepareWriteSnapshot } from './writes/write-snapshot.ts';

/**
 * Writes a group in one transaction, so that all of it costs one disk sync. Each write is checked inside the transaction
 * before it changes anything, so a rejected write does not affect the others (J2, J3).
 */
export function prepareApplyGroup(database: DatabaseSync): (group: readonly Write[]) => GroupResult {
  const counts = prepareTaskCounts(database);
  const insertJournalRows = prepareInsertJournalRows(database);
  const createTask = prepareCreateTask(database, counts, insertJournalRows);
  const append = prepareAppend(database, counts, insertJournalRows);
  const writeSnapshot = prepareWriteSnapshot(database);
  const heartbeat = prepareHeartbeat(database);
  const acquireLease = prepareAcquireLease(database);
  const releaseLease = prepareReleaseLease(database);
  const putRecord = preparePutRecord(database);
  const replaceRecord = prepareReplaceRecord(database);
  const deleteRecord = prepareDeleteRecord(database);
  const deleteTask = prepareDeleteTask(database, counts);
  const trimJournal = prepareTrimJournal(database);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');

  function apply(write: Write): Outcome {
    switch (write[0]) {
      case 'create-task':
        return createTask(write);
      case 'append':
        return append(write);
      case 'write-snapshot':
        return writeSnapshot(write);
      case 'heartbeat':
        return heartbeat(write);
      case 'acquire-lease':
        return acquireLease(write);
      case 'release-lease':
        return releaseLease(write);
      case 'put-record':
        return putRecord(write);
      case 'replace-record':
        return replaceRecord(write);
      case 'delete-record':
        return deleteRecord(write);
      case 'delete-task':
        return deleteTask(write);
      case 'trim-journal':
      default:
        return trimJournal(write);
    }
  }

  function applyOrReject(write: Write): Outcome {
    try {
      return apply(write);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      return { rejected: error.code, message: error.message };
    }
  }

  return (group) => {
    try {
      begin.run();
      const outcomes = group.map(applyOrReject);
      counts.write();
      commit.run();
      return outcomes;
    } catch (error) {
      counts.discard();
      rollBack(database);
      const { code, message } = storeErrorFromSqlite(error, 'holdword.db');
      return { rejected: code, message, cause: error instanceof Error ? error.message : String(error) };
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
