import type { JournalRow } from '../sql/rows.ts';
import type { IdempotencyEntry } from '../port.ts';
import type { StoreError, StoreErrorCode } from '../store-error.ts';

/**
 * The writes that are sent to the writer thread. Tuples of primitives, because copying them between threads costs a fraction
 * of what objects cost.
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
  | DeleteTaskWrite
  | TrimJournalWrite;

export type CreateTaskWrite = [
  kind: 'create-task',
  taskId: string,
  owner: string,
  contextId: string,
  state: number,
  statusTime: number,
  status: string,
  holder: string | null,
  idempotency: IdempotencyTuple | null,
  rows: JournalRow[],
];

export type AppendWrite = [
  kind: 'append',
  taskId: string,
  fence: number,
  firstSequence: number,
  /** 0 if the status does not change. */
  state: number,
  statusTime: number,
  status: string,
  releaseLease: boolean,
  idempotency: IdempotencyTuple | null,
  rows: JournalRow[],
];

export type IdempotencyTuple = [owner: string, key: string, payloadHash: string];

export type WriteSnapshotWrite = [kind: 'write-snapshot', taskId: string, sequence: number, json: string];
export type HeartbeatWrite = [kind: 'heartbeat', holder: string, expiresAt: number];
export type AcquireLeaseWrite = [
  kind: 'acquire-lease',
  taskId: string,
  holder: string,
  now: number,
  force: boolean,
];
export type ReleaseLeaseWrite = [kind: 'release-lease', taskId: string, fence: number];
export type PutRecordWrite = [kind: 'put-record', namespace: string, key: string, value: string];
export type ReplaceRecordWrite = [
  kind: 'replace-record',
  namespace: string,
  key: string,
  expected: string | null,
  value: string,
];
export type DeleteRecordWrite = [
  kind: 'delete-record',
  namespace: string,
  key: string,
  expected: string | null,
];
export type DeleteTaskWrite = [kind: 'delete-task', taskId: string];
export type TrimJournalWrite = [kind: 'trim-journal', taskId: string];

/** Why a write, or a whole group, was not made. */
export interface WriteRejection {
  rejected: StoreErrorCode;
  message: string;
  isDiskFull?: boolean;
  /** SQLite's own message, which may name files: for the operator's log. */
  cause?: string;
}

/** The outcome of one write: `undefined` if there is nothing else to report, otherwise depending on the kind of write. */
export type Outcome = undefined | number | boolean | IdempotencyEntry | WriteRejection;

/** The result of a group: the outcomes of its writes in order, or why nothing was written. */
export type GroupResult = Outcome[] | WriteRejection;

/** The thread's reply to a group: the result, and how long the transaction took including its sync. */
export interface ThreadReply {
  milliseconds: number;
  result: GroupResult;
}

export function toRejection({ code, message, isDiskFull, cause }: StoreError): WriteRejection {
  const rejection: WriteRejection = { rejected: code, message };
  if (isDiskFull) rejection.isDiskFull = true;
  if (cause instanceof Error) rejection.cause = cause.message;
  return rejection;
}

export function isRejection(result: Outcome | GroupResult): result is WriteRejection {
  return typeof result === 'object' && 'rejected' in result;
}
