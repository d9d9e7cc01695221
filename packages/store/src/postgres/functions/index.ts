import { acquireLease } from './acquire-lease.ts';
import { addCounts } from './add-counts.ts';
import { appendEvents } from './append-events.ts';
import { applyGroup } from './apply-group.ts';
import { applySingly } from './apply-singly.ts';
import { createTasks } from './create-tasks.ts';
import { deleteTask } from './delete-task.ts';
import { explainAppend } from './explain-append.ts';
import { explainCreate } from './explain-create.ts';
import { heartbeat } from './heartbeat.ts';
import { isWritten } from './is-written.ts';
import { nowMilliseconds } from './now-milliseconds.ts';
import { deleteRecord, putRecord, replaceRecord } from './records.ts';
import { releaseLease } from './release-lease.ts';
import { trimJournal } from './trim-journal.ts';
import { writeSnapshot } from './write-snapshot.ts';

/** All writes as functions in the database, each after those it calls. */
export const FUNCTIONS = [
  nowMilliseconds,
  isWritten,
  createTasks,
  explainCreate,
  appendEvents,
  explainAppend,
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
  applySingly,
  applyGroup,
].join('\n');
