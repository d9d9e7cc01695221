import type { JournalRow } from '../journal-rows.ts';
import type { IdempotencyEntry } from '../port.ts';
import type { StoreErrorCode } from '../store-error.ts';

/**
 * The writes that travel to the writer thread. Tuples of primitives: copying them between threads costs a fraction of
 * what objects cost.
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
  /** 0 when the status stays. */
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

export interface Refusal {
  refused: StoreErrorCode;
  message: string;
}

/** What became of one write. `undefined` says done; what else there is to say depends on the kind of write. */
export type Outcome = undefined | number | boolean | IdempotencyEntry | Refusal;

/** What became of a group: each write's outcome in order, or why nothing of it was written. */
export type GroupAnswer = Outcome[] | Refusal;

/** What the thread sends back for a group: the answer, and how long the transaction took with its sync. */
export interface ThreadAnswer {
  milliseconds: number;
  answer: GroupAnswer;
}

export function isRefusal(answer: Outcome | GroupAnswer): answer is Refusal {
  return typeof answer === 'object' && 'refused' in answer;
}
