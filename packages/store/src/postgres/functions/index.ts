import { acquireLease } from './acquire-lease.ts';
import { addCounts } from './add-counts.ts';
import { append } from './append.ts';
import { applyGroup } from './apply-group.ts';
import { changeTasks } from './change-tasks.ts';
import { createTask } from './create-task.ts';
import { deleteTask } from './delete-task.ts';
import { heartbeat } from './heartbeat.ts';
import { insertJournalRows } from './insert-journal-rows.ts';
import { isWritten } from './is-written.ts';
import { nowMilliseconds } from './now-milliseconds.ts';
import { deleteRecord, putRecord, replaceRecord } from './records.ts';
import { releaseLease } from './release-lease.ts';
import { trimJournal } from './trim-journal.ts';
import { writeSnapshot } from './write-snapshot.ts';

/** The writing side as functions inside the database, each after those it calls. */
export const FUNCTIONS = [
  nowMilliseconds,
  isWritten,
  changeTasks,
  insertJournalRows,
  createTask,
  append,
  acquireLease,
  releaseLease,
  heartbeat,
  writeSnapshot,
  putRecord,
  replaceRecord,
  deleteRecord,
  deleteTask,
  trimJournal,
  addCounts,
  applyGroup,
].join('\n');
