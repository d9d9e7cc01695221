import type { TaskState } from '@holdword/protocol';

/**
 * The port every backend implements: journals of tasks, leases on tasks, and small records.
 *
 * Responsible for durability and order: the promise of a write resolves once the data is on disk (J1), the sequence numbers
 * of a task have no gaps (J2), a write with a stale fence is rejected (J3), an append costs O(event) (J4).
 * Leaves to the runtime: what the events mean, who may see them, and when a task may change its state.
 *
 * @example
 * ```ts
 * import { openSqliteStore } from '@holdword/store';
 *
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const { tasks } = await store.listTasks({ owner: 'anonymous', limit: 20 });
 * await store.close();
 * ```
 */
export interface Store {
  /** Which backend this is. */
  readonly kind: 'memory' | 'json-file' | 'sqlite' | 'postgres';
  /** Whether several processes can use the data at once, so that another one may hold a task. */
  readonly isShared: boolean;

  // Journals
  /**
   * Creates a task with its first events, held by `holder` with fence 1, unless its idempotency key is taken. IDs that are
   * ordered by time (UUID version 7) keep tasks created together close to each other on disk.
   *
   * @throws StoreError `sequence-conflict` if the task exists, `invalid-entry`, `unavailable`
   */
  createTask(task: NewTask): Promise<CreateTaskResult>;
  /**
   * Appends events after the last one. After `unavailable` the same append can be repeated, whether or not it was committed:
   * it is applied once.
   *
   * @throws StoreError `unknown-task`, `stale-fence`, `sequence-conflict`, `invalid-entry`, `unavailable`
   */
  append(append: JournalAppend): Promise<void>;
  /** The task's header: everything but its events. */
  readTask(taskId: string): Promise<TaskHeader | undefined>;
  /**
   * Committed events with a sequence number above `after`, in order: at least one if there are any, at most `limit`, fewer
   * if they are large.
   */
  readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]>;
  /** The newest event with `changesStatus` whose sequence number is at most `sequence`. */
  readStatusEvent(taskId: string, sequence: number): Promise<CommittedEvent | undefined>;
  /**
   * Saves the task as folded from its journal, so that a long task loads fast. An older snapshot is replaced, a newer one is
   * kept.
   *
   * @throws StoreError `unknown-task`, `unavailable`
   */
  writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void>;
  /** The newest snapshot, unless there is none or it has more than `mostCharacters`. */
  readSnapshot(taskId: string, mostCharacters?: number): Promise<Snapshot | undefined>;
  /**
   * The tasks of an owner, the most recent status first. A page costs its length and, if the query filters by context or
   * time, a count of the tasks that match.
   */
  listTasks(query: TaskQuery): Promise<TaskHeaderPage>;
  /**
   * The tasks of all owners, by ID, the greatest first: the newest, because new IDs are ordered by time. For operators: an
   * owner must not see the tasks of others (J9). A page costs what it reads, which is bounded, so it may be short and still have
   * a `nextCursor`.
   */
  listAllTasks(query: AllTasksQuery): Promise<AllTasksPage>;
  /** How much of the store an owner uses, as of the last commit. Costs the same however much that is. */
  readUsage(owner: string): Promise<OwnerUsage>;
  /** The task that was created or continued with this idempotency key. */
  findIdempotencyKey(owner: string, key: string): Promise<IdempotencyEntry | undefined>;
  /**
   * Calls the listener after each commit, including commits of other processes, and with an empty list when commits may have
   * been missed, so that those who wait read again. Only a hint: it may arrive late or twice, and readers rely on sequence
   * numbers. Returns a function that removes the listener.
   */
  onCommit(listener: CommitListener): () => void;

  // Leases
  /** Marks the process `holder` as alive for the next `ttlMilliseconds`. */
  heartbeat(holder: string, ttlMilliseconds: number): Promise<void>;
  /** Whether the last heartbeat of `holder` is still valid. */
  isAlive(holder: string): Promise<boolean>;
  /** The processes that have sent a heartbeat, those that are alive for longest first. */
  listHolders(): Promise<HolderState[]>;
  /** The process that holds the task, alive or not. Undefined if none does. */
  readHolder(taskId: string): Promise<string | undefined>;
  /**
   * Acquires the task's lease for `holder` if the task is free, already held by `holder`, or its holder is no longer alive;
   * with `force` even from a living holder, whose writes are rejected from then on. Returns the new fence, which increases by
   * one each time, or nothing if another process holds the task.
   *
   * @throws StoreError `unknown-task`, `unavailable`
   */
  acquireLease(taskId: string, holder: string, options?: { force?: boolean }): Promise<number | undefined>;
  /** Releases the lease. A stale fence is ignored. */
  releaseLease(taskId: string, fence: number): Promise<void>;
  /** Submitted or working tasks that no living process holds, oldest first. */
  listOrphans(limit: number): Promise<TaskHeader[]>;

  // Records: small named values outside of any task (API keys, configurations)
  getRecord(namespace: string, key: string): Promise<string | undefined>;
  putRecord(namespace: string, key: string, value: string): Promise<void>;
  /** Puts the value if the record still equals `expected` (undefined: does not exist). Returns whether it did. */
  replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean>;
  /** Deletes the record; with `expected` only if it still equals that. Returns whether it did. */
  deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean>;
  /** The records whose key starts with `prefix`, sorted by key. A page costs only its length. */
  listRecords(namespace: string, prefix?: string, page?: RecordPage): Promise<RecordEntry[]>;

  /** Removes ended tasks. Absent if the backend does not support it. */
  readonly retention?: Retention;

  /** Completes all accepted writes, then releases files and connections. */
  close(): Promise<void>;
}

/** A record without its namespace. */
export interface RecordEntry {
  key: string;
  value: string;
}

/** Which part of a list of records to return. */
export interface RecordPage {
  /**
   * The maximum number of records.
   *
   * @default all records
   */
  limit?: number;
  /**
   * List the greatest key first.
   *
   * @default false
   */
  descending?: boolean;
  /** The last key of the previous page: the list continues after it, in its direction. */
  after?: string;
}

/**
 * Removes tasks that have ended. Each call handles one task or one page, so that writers never wait long. What to remove and
 * when is up to the runtime.
 */
export interface Retention {
  /** Tasks that reached a terminal state at `until` or earlier, oldest first. A page costs only its length. */
  listEnded(query: EndedQuery): Promise<EndedPage<PageCursor>>;
  /**
   * For every owner with more than `keep` ended tasks, the oldest ones beyond that number, owner by owner. Never one of the
   * newest `keep`, even if tasks before the cursor still exist. A page costs its length, the owners with fewer tasks that it
   * skips and, to continue within an owner, `keep` more index entries.
   */
  listExcess(query: ExcessQuery): Promise<EndedPage<ExcessCursor>>;
  /** Deletes an ended task with its journal, snapshot and idempotency keys. Returns false if there is no such task. */
  deleteTask(taskId: string): Promise<boolean>;
  /**
   * Deletes all events of an ended task except the last one. Returns false and deletes nothing unless its snapshot includes
   * the last event.
   */
  trimJournal(taskId: string): Promise<boolean>;
}

/** Which ended tasks to list. */
export interface EndedQuery {
  /** Milliseconds since the epoch. */
  until: number;
  /**
   * Only tasks whose journal has not been trimmed.
   *
   * @default false
   */
  untrimmed?: boolean;
  /** Where the previous page ended: its `nextCursor`, unchanged. */
  cursor?: PageCursor;
  limit: number;
}

/** Which surplus tasks to list. */
export interface ExcessQuery {
  /** How many ended tasks each owner keeps. */
  keep: number;
  /** Where the previous page ended: its `nextCursor`, unchanged. */
  cursor?: ExcessCursor;
  limit: number;
}

/** A position among the tasks of all owners, owner by owner. */
export interface ExcessCursor extends PageCursor {
  owner: string;
}

/** One page of ended tasks. */
export interface EndedPage<Cursor> {
  tasks: TaskHeader[];
  /** Absent on the last page. */
  nextCursor?: Cursor;
}

/** An event to be appended to the journal. */
export interface JournalEntry {
  /** The StreamResponse as A2A 1.0 JSON, exactly as readers will receive it. A single line. */
  json: string;
  /** JSON that only the fold sees, never a client, such as the user's message that started a turn. A single line. */
  internal?: string;
  /** The event carries a status: the header's status is taken from its append. */
  changesStatus?: boolean;
}

/** An event in the journal. */
export interface CommittedEvent {
  sequence: number;
  json: string;
  internal?: string;
}

/** The status of a task, as the header stores it. */
export interface StatusChange {
  state: TaskState;
  /** Milliseconds since the epoch; `listTasks` sorts by it. */
  time: number;
  /** The TaskStatus as JSON. */
  json: string;
}

/** A task to be created. */
export interface NewTask {
  taskId: string;
  /** Tenant and caller in one string: nobody else may see the task (J9). */
  owner: string;
  contextId: string;
  status: StatusChange;
  entries: JournalEntry[];
  /** The process that works on it. Absent if its first turn ended with these events. */
  holder?: string;
  idempotency?: { key: string; payloadHash: string };
}

/** The fence of the new task, or the task that already has its idempotency key. */
export type CreateTaskResult =
  { created: true; fence: number } | { created: false; existing: IdempotencyEntry };

/** What an idempotency key was used for. */
export interface IdempotencyEntry {
  taskId: string;
  payloadHash: string;
}

/** Events to be appended to a task. */
export interface JournalAppend {
  taskId: string;
  /** Stale once the lease is acquired again, not when it is released: until then nobody else can have written. */
  fence: number;
  /** Must follow the last committed sequence number. */
  firstSequence: number;
  entries: JournalEntry[];
  /** The status after these entries, if one of them changes it. */
  status?: StatusChange;
  /**
   * Release the lease with this commit, because the turn has ended.
   *
   * @default false
   */
  releaseLease?: boolean;
  /** Records with this commit that the task accepted the key's payload. A key that already exists is left unchanged. */
  idempotency?: { owner: string; key: string; payloadHash: string };
}

/** Everything the store knows about a task except its events. */
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
  /** The lowest sequence number still in the journal: 1 unless the journal was trimmed. */
  firstSequence: number;
  fence: number;
}

/** A task as folded from its journal. */
export interface Snapshot {
  /** The last sequence number folded into it. */
  sequence: number;
  /** The Task as JSON. */
  json: string;
}

/** Which tasks to list. */
export interface TaskQuery {
  owner: string;
  contextId?: string;
  state?: TaskState;
  /** Milliseconds since the epoch: only tasks whose status changed then or later. */
  statusTimeFrom?: number;
  /** Where the previous page ended: its `nextCursor`, unchanged. */
  cursor?: PageCursor;
  limit: number;
  /** A page may end early, but not before its statuses have this many characters. Without it, a page is as long as `limit`. */
  enoughCharacters?: number;
}

/** A position in the order of status times. It stays exact when tasks change, appear or disappear between two pages. */
export interface PageCursor {
  statusTime: number;
  tieBreak: number;
}

/** One page of tasks. */
export interface TaskHeaderPage {
  tasks: TaskHeader[];
  /** Where a page that ends with the task of the same index continues. */
  cursors: PageCursor[];
  /** Absent on the last page. */
  nextCursor?: PageCursor;
  /** The number of tasks that match the query, regardless of cursor and limit. */
  totalSize: number;
}

/** Which tasks of all owners to list. */
export interface AllTasksQuery {
  state?: TaskState;
  /** Only IDs that are greater than or equal to this one. */
  from?: string;
  /** Only IDs that are less than this one, such as `nextCursor` of the previous page. */
  before?: string;
  limit: number;
}

/** One page of the tasks of all owners. */
export interface AllTasksPage {
  tasks: TaskHeader[];
  /** Where the next page begins, as its `before`. Absent on the last page. */
  nextCursor?: string;
}

/** A process that has sent a heartbeat. */
export interface HolderState {
  holder: string;
  /** How long its last heartbeat is still valid; 0 or less if it no longer is. */
  aliveMilliseconds: number;
}

/** What the tasks of an owner take up. */
export interface OwnerUsage {
  tasks: number;
  /** The size of their events and snapshots. */
  bytes: number;
}

/** Called with the last sequence number of each task that was written, or with an empty list if commits may have been missed. */
export type CommitListener = (commits: readonly { taskId: string; lastSequence: number }[]) => void;
