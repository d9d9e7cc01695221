import { createHash } from 'node:crypto';
import type { IdempotencyEntry, JournalAppend, NewTask } from '../port.ts';
import { sequenceConflict, staleFence, taskExists, unknownTask } from '../rejections.ts';
import { entriesToRows, type JournalRow, stateToCode, toDatabaseText } from '../sql/rows.ts';
import type { StoreError } from '../store-error.ts';

/**
 * A write in the form that the database function `apply_group` expects: those fields of its type `write_request` that the
 * kind of write needs.
 */
export type Write =
  | CreateTaskWrite
  | AppendWrite
  | WriteSnapshotWrite
  | HeartbeatWrite
  | AcquireLeaseWrite
  | ReleaseLeaseWrite
  | PutRecordWrite
  | ReplaceRecordWrite
  | DeleteRecordWrite
  | RetentionWrite;

interface JournalWrite {
  task_id: string;
  last_sequence: number;
  /** The newest of these events that changes the status, 0 if none does. */
  status_sequence: number;
  rows: NumberedRow[];
  key?: string | undefined;
  payload_hash?: string | undefined;
}

export interface CreateTaskWrite extends JournalWrite {
  kind: 'create-task';
  owner: string;
  context_id: string;
  state: number;
  status_time: number;
  status: string;
  holder?: string | undefined;
}

export interface AppendWrite extends JournalWrite {
  kind: 'append';
  fence: number;
  first_sequence: number;
  state?: number | undefined;
  status_time?: number | undefined;
  status?: string | undefined;
  releases: boolean;
  /** The owner of the idempotency key. */
  owner?: string | undefined;
}

/** A journal row. `status` is the newest event of its append, at or before the end of the row, that changes the status. */
export interface NumberedRow {
  first: number;
  last: number;
  status: number;
  lines: string;
}

export interface WriteSnapshotWrite {
  kind: 'write-snapshot';
  task_id: string;
  last_sequence: number;
  value: string;
}

export interface HeartbeatWrite {
  kind: 'heartbeat';
  holder: string;
  ttl: number;
}

export interface AcquireLeaseWrite {
  kind: 'acquire-lease';
  task_id: string;
  holder: string;
  /** Even from a living holder. */
  forces: boolean;
}

export interface ReleaseLeaseWrite {
  kind: 'release-lease';
  task_id: string;
  fence: number;
}

export interface PutRecordWrite {
  kind: 'put-record';
  namespace: string;
  key: string;
  value: string;
}

export interface ReplaceRecordWrite {
  kind: 'replace-record';
  namespace: string;
  key: string;
  /** Absent if the record must not exist. */
  expected?: string | undefined;
  value: string;
}

export interface DeleteRecordWrite {
  kind: 'delete-record';
  namespace: string;
  key: string;
  expected?: string | undefined;
}

export interface RetentionWrite {
  kind: 'delete-task' | 'trim-journal';
  task_id: string;
}

/** A rejection as the database functions return it, without a message. */
export type WriteRejection =
  | { refused: 'unknown-task' | 'task-exists' }
  | { refused: 'stale-fence' | 'sequence-conflict'; expected: number };

/** The outcome of one write: `undefined` if there is nothing else to report, otherwise depending on the kind of write. */
export type Outcome = undefined | number | boolean | IdempotencyEntry | WriteRejection;

/** The outcomes other than `undefined`, by the index of their write in the group. */
export type GroupOutcomes = Readonly<Record<string, Outcome>>;

export function isRejection(outcome: Outcome): outcome is WriteRejection {
  return typeof outcome === 'object' && 'refused' in outcome;
}

/** Adds the message to a rejection by the database. */
export function rejectionToError(write: Write, rejection: WriteRejection): StoreError {
  const taskId = 'task_id' in write ? write.task_id : '';
  switch (rejection.refused) {
    case 'task-exists':
      return taskExists(taskId);
    case 'stale-fence':
      return staleFence(taskId, 'fence' in write ? write.fence : 0, rejection.expected);
    case 'sequence-conflict':
      return sequenceConflict(
        taskId,
        'first_sequence' in write ? write.first_sequence : 1,
        rejection.expected,
      );
    case 'unknown-task':
    default:
      return unknownTask(taskId);
  }
}

export function newTaskToWrite(task: NewTask): CreateTaskWrite {
  const { taskId, owner, contextId, status, entries, holder, idempotency } = task;
  const rows = toNumberedRows(1, entriesToRows(entries));
  return {
    kind: 'create-task',
    task_id: toDatabaseText(taskId),
    owner: toDatabaseText(owner),
    context_id: toDatabaseText(contextId),
    state: stateToCode(status.state),
    status_time: status.time,
    status: toDatabaseText(status.json),
    last_sequence: entries.length,
    status_sequence: rows.at(-1)?.status ?? 0,
    rows,
    holder: holder === undefined ? undefined : toDatabaseText(holder),
    key: idempotency && toIndexedKey(idempotency.key),
    payload_hash: idempotency && toDatabaseText(idempotency.payloadHash),
  };
}

export function appendToWrite(append: JournalAppend): AppendWrite {
  const { taskId, fence, firstSequence, entries, status, releaseLease = false, idempotency } = append;
  const rows = toNumberedRows(firstSequence, entriesToRows(entries));
  return {
    kind: 'append',
    task_id: toDatabaseText(taskId),
    fence,
    first_sequence: firstSequence,
    last_sequence: firstSequence + entries.length - 1,
    status_sequence: rows.at(-1)?.status ?? 0,
    releases: releaseLease,
    rows,
    state: status && stateToCode(status.state),
    status_time: status?.time,
    status: status && toDatabaseText(status.json),
    owner: idempotency && toDatabaseText(idempotency.owner),
    key: idempotency && toIndexedKey(idempotency.key),
    payload_hash: idempotency && toDatabaseText(idempotency.payloadHash),
  };
}

function toNumberedRows(firstSequence: number, journalRows: readonly JournalRow[]): NumberedRow[] {
  const rows: NumberedRow[] = [];
  let first = firstSequence;
  let status = 0;
  for (const [count, statusIndex, lines] of journalRows) {
    if (statusIndex >= 0) status = first + statusIndex;
    rows.push({ first, last: first + count - 1, status, lines: toDatabaseText(lines) });
    first += count;
  }
  return rows;
}

const MAX_KEY_CHARACTERS = 255;

/** Clients choose their idempotency keys, and index entries are limited in length: a long key is stored as its hash. */
export function toIndexedKey(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return toDatabaseText(key);
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
