import type { IdempotencyEntry } from '../port.ts';

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
  key?: string;
  payload_hash?: string;
}

export interface CreateTaskWrite extends JournalWrite {
  kind: 'create-task';
  owner: string;
  context_id: string;
  state: number;
  status_time: number;
  status: string;
  holder?: string;
}

export interface AppendWrite extends JournalWrite {
  kind: 'append';
  fence: number;
  first_sequence: number;
  state?: number;
  status_time?: number;
  status?: string;
  releases: boolean;
  /** The owner of the idempotency key. */
  owner?: string;
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
  expected?: string;
  value: string;
}

export interface DeleteRecordWrite {
  kind: 'delete-record';
  namespace: string;
  key: string;
  expected?: string;
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
