import type { TaskState } from '@holdword/protocol';

/**
 * The port every backend implements: journals of tasks, leases on them, and small records.
 *
 * Responsible for durability and order: a promise of a write resolves after the data is on disk (J1), sequence numbers
 * of a task have no holes (J2), a write with an old fence is refused (J3), appending costs O(event) (J4).
 * Leaves to the runtime: what the events mean, who may see them, when a task may change its state.
 */
export interface Store {
  readonly kind: 'memory' | 'json-file' | 'sqlite' | 'postgres';
  /** Several processes may work on it at once, and may have the tasks that this one wants. */
  readonly isShared: boolean;

  // Journals
  /**
   * Creates a task with its first events, held by `holder` with fence 1, unless its idempotency key is taken. Rejects with
   * a StoreError: `sequence-conflict` when the task exists, `invalid-entry`. Ids that grow with time (UUID version 7) keep
   * the writes of a moment close together on disk.
   */
  createTask(task: NewTask): Promise<CreateTaskResult>;
  /**
   * Appends events after the last one. Rejects with a StoreError: `unknown-task`, `stale-fence`, `sequence-conflict`,
   * `invalid-entry`. After `unavailable` the same append can be made again, whether or not it was committed: it counts once.
   */
  append(append: JournalAppend): Promise<void>;
  readTask(taskId: string): Promise<TaskHeader | undefined>;
  /**
   * Committed events with a sequence number above `after`, in order, at least one if there is any, at most `limit`; fewer
   * when they are large.
   */
  readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]>;
  /** The newest event with `changesStatus` whose sequence number is at most `sequence`. */
  readStatusEvent(taskId: string, sequence: number): Promise<CommittedEvent | undefined>;
  /**
   * Saves a fold of the journal so that a long task loads fast. An older snapshot is replaced, a newer one kept. Rejects
   * with a StoreError: `unknown-task`.
   */
  writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void>;
  readSnapshot(taskId: string): Promise<Snapshot | undefined>;
  listTasks(query: TaskQuery): Promise<TaskPage>;
  findIdempotencyKey(owner: string, key: string): Promise<IdempotencyEntry | undefined>;
  /**
   * Calls back after each commit, also for commits of other processes; with none when it may have missed some, so that
   * whoever waits looks again. A hint: it may come late or twice, readers trust sequence numbers alone.
   */
  onCommit(listener: CommitListener): () => void;

  // Leases
  /** Says that `holder`, one process, is alive for `ttlMilliseconds` more. */
  heartbeat(holder: string, ttlMilliseconds: number): Promise<void>;
  /** Whether the time for which `holder` said that it is alive has not run out. */
  isAlive(holder: string): Promise<boolean>;
  /**
   * Takes the task for `holder` if it is free, its own, or its holder is gone; with `force` from a living holder, too,
   * whose writes are refused from then on. The fence grows by one each time. Rejects with a StoreError: `unknown-task`.
   */
  acquireLease(taskId: string, holder: string, options?: { force?: boolean }): Promise<number | undefined>;
  /** Gives the task back. An old fence is ignored. */
  releaseLease(taskId: string, fence: number): Promise<void>;
  /** Submitted or working tasks that no living holder holds, oldest first. */
  listOrphans(limit: number): Promise<TaskHeader[]>;

  // Records: small named values that belong to no task (API keys, configurations)
  getRecord(namespace: string, key: string): Promise<string | undefined>;
  putRecord(namespace: string, key: string, value: string): Promise<void>;
  /** Puts the value if the record still is `expected`, absent for undefined; says whether it did. */
  replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean>;
  /** Deletes the record, only if it still is `expected` where that is given; says whether it did. */
  deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean>;
  /** Sorted by key; those whose key begins with `prefix`, all without one. A page costs its own length. */
  listRecords(namespace: string, prefix?: string, page?: RecordPage): Promise<RecordEntry[]>;

  /** How to forget tasks, where the backend can. */
  readonly retention?: Retention;

  /** Writes everything accepted so far and lets go of the files. */
  close(): Promise<void>;
}

export interface RecordEntry {
  key: string;
  value: string;
}

export interface RecordPage {
  /** The most records to list; all without it. */
  limit?: number;
  /** The greatest key first. */
  descending?: boolean;
  /** The key that the previous page ended with: the list goes on beyond it, in its direction. */
  after?: string;
}

/**
 * Forgets tasks that have ended. Each call is about one task or one page, so that nobody who writes waits long; who
 * decides what to forget, and when, is the runtime.
 */
export interface Retention {
  /** Tasks that came into their final state at `until` or before; the oldest first. A page costs its own length. */
  listEnded(query: EndedQuery): Promise<EndedPage<PageCursor>>;
  /**
   * Of every owner who has more than `keep` tasks that have ended, the oldest beyond that number; owner by owner. Never one
   * of the newest `keep`, also when tasks before the cursor are still there. A page costs its own length and, to go on in
   * the middle of an owner, a look at `keep` more in an index.
   */
  listExcess(query: ExcessQuery): Promise<EndedPage<ExcessCursor>>;
  /** Removes a task that has ended, with its journal, its snapshot and its idempotency keys; false if there is none. */
  deleteTask(taskId: string): Promise<boolean>;
  /**
   * Removes all events of a task that has ended but the last one; false, and nothing is removed, unless its snapshot
   * includes the last event.
   */
  trimJournal(taskId: string): Promise<boolean>;
}

export interface EndedQuery {
  /** Milliseconds since the epoch. */
  until: number;
  /** Only those whose journal has not been trimmed. */
  untrimmed?: boolean;
  /** Where the previous page ended: its `nextCursor`, unchanged. */
  cursor?: PageCursor;
  limit: number;
}

export interface ExcessQuery {
  keep: number;
  /** Where the previous page ended: its `nextCursor`, unchanged. */
  cursor?: ExcessCursor;
  limit: number;
}

/** A place among the tasks of all owners, owner by owner. */
export interface ExcessCursor extends PageCursor {
  owner: string;
}

export interface EndedPage<Cursor> {
  tasks: TaskHeader[];
  /** Absent when there are no more. */
  nextCursor?: Cursor;
}

/** One event on its way into the journal. */
export interface JournalEntry {
  /** The StreamResponse as JSON of A2A 1.0, exactly as readers will get it. One line. */
  json: string;
  /** JSON for the fold alone, never shown on a wire, for example the user's message that began a turn. One line. */
  internal?: string;
  /** The event carries a status: the header's status is taken from the append that brings it. */
  changesStatus?: boolean;
}

export interface CommittedEvent {
  sequence: number;
  json: string;
  internal?: string;
}

export interface StatusChange {
  state: TaskState;
  /** Milliseconds since the epoch; ListTasks sorts by it. */
  time: number;
  /** The TaskStatus as JSON. */
  json: string;
}

export interface NewTask {
  taskId: string;
  /** Tenant and caller in one string: the only one who may see the task (J9). */
  owner: string;
  contextId: string;
  status: StatusChange;
  entries: JournalEntry[];
  /** The process that works on it; absent when its first turn ended with these events. */
  holder?: string;
  idempotency?: { key: string; payloadHash: string };
}

export type CreateTaskResult =
  { created: true; fence: number } | { created: false; existing: IdempotencyEntry };

export interface IdempotencyEntry {
  taskId: string;
  payloadHash: string;
}

export interface JournalAppend {
  taskId: string;
  /** Old once the lease was taken again, not when it was given back: until then nobody else can have written. */
  fence: number;
  /** Must be the number after the last committed one. */
  firstSequence: number;
  entries: JournalEntry[];
  /** The status after these entries, when one of them changes it. */
  status?: StatusChange;
  /** Gives the lease back with this commit: the turn has ended. */
  releaseLease?: boolean;
  /** Remembers with this commit that the key's payload was accepted into the task; a key already there stays as it is. */
  idempotency?: { owner: string; key: string; payloadHash: string };
}

export interface TaskHeader {
  taskId: string;
  owner: string;
  contextId: string;
  state: TaskState;
  statusTime: number;
  /** The TaskStatus as JSON. */
  status: string;
  /** The time of the first status. */
  createdAt: number;
  lastSequence: number;
  /** The lowest sequence number still in the journal: 1 until retention removes events. */
  firstSequence: number;
  fence: number;
}

export interface Snapshot {
  /** The last sequence number folded into it. */
  sequence: number;
  /** The Task as JSON. */
  json: string;
}

export interface TaskQuery {
  owner: string;
  contextId?: string;
  state?: TaskState;
  /** Milliseconds; tasks whose status changed at this moment or later. */
  statusTimeFrom?: number;
  /** Where the previous page ended: its `nextCursor`, unchanged. */
  cursor?: PageCursor;
  limit: number;
}

/** A place in the order of status times. It stays exact when tasks move, appear or go between two pages. */
export interface PageCursor {
  statusTime: number;
  tieBreak: number;
}

export interface TaskPage {
  tasks: TaskHeader[];
  nextCursor?: PageCursor;
  /** All tasks that match the query without cursor and limit. */
  totalSize: number;
}

export type CommitListener = (commits: readonly { taskId: string; lastSequence: number }[]) => void;
