import type {
  AllTasksQuery,
  CommitListener,
  CreateTaskResult,
  JournalAppend,
  JournalEntry,
  NewTask,
  RecordPage,
  Retention,
  Snapshot,
  Store,
  TaskQuery,
} from './port.ts';
import { storeClosed } from './rejections.ts';
import { StoreError } from './store-error.ts';

/** What a backend writes. Called only while the store is open, with valid entries. */
export interface StoreWrites
  extends
    Pick<Store, 'createTask' | 'append' | 'writeSnapshot'>,
    Pick<Store, 'heartbeat' | 'acquireLease' | 'releaseLease'>,
    Pick<Store, 'putRecord' | 'replaceRecord' | 'deleteRecord'>,
    Pick<Retention, 'deleteTask' | 'trimJournal'> {}

type ReadMethods = Pick<Store, 'readTask' | 'readEvents' | 'readStatusEvent' | 'readSnapshot'> &
  Pick<Store, 'listTasks' | 'listAllTasks' | 'readUsage' | 'findIdempotencyKey'> &
  Pick<Store, 'isAlive' | 'listHolders' | 'readHolder' | 'listOrphans'> &
  Pick<Store, 'getRecord' | 'listRecords'> &
  Pick<Retention, 'listEnded' | 'listExcess'>;

/** What a backend reads, with or without a promise. */
export type StoreReads = {
  readonly [Name in keyof ReadMethods]: (
    ...parameters: Parameters<ReadMethods[Name]>
  ) => ReturnType<ReadMethods[Name]> | Awaited<ReturnType<ReadMethods[Name]>>;
};

/** What a store needs from a backend. Called only while the store is open. */
export interface Backend extends StoreWrites {
  readonly kind: Store['kind'];
  readonly isShared: boolean;
  /** Runs a query, so that the backend can retry it and translate its errors. */
  read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result>;
  /** Why nothing may be written at the moment, if the backend knows. */
  readonly problem?: StoreError | undefined;
  /** Completes all accepted writes, then releases files and connections. */
  close(): Promise<void>;
}

/**
 * The store that all backends share. Responsible for rejecting calls after `close` and invalid entries, and for the commit
 * listeners. Leaves data and durability to the backend.
 */
export class BackedStore implements Store {
  readonly kind: Store['kind'];
  readonly isShared: boolean;
  readonly #backend: Backend;
  readonly #listeners: CommitListeners;
  #closing: Promise<void> | undefined;

  /** The backend announces its commits to the listeners. */
  constructor(backend: Backend, listeners: CommitListeners) {
    this.kind = backend.kind;
    this.isShared = backend.isShared;
    this.#backend = backend;
    this.#listeners = listeners;
  }

  createTask(task: NewTask): Promise<CreateTaskResult> {
    return this.#writeEntries(task.entries, (backend) => backend.createTask(task));
  }

  append(append: JournalAppend) {
    return this.#writeEntries(append.entries, (backend) => backend.append(append));
  }

  readTask(taskId: string) {
    return this.#read((reads) => reads.readTask(taskId));
  }

  readEvents(taskId: string, after: number, limit: number) {
    return this.#read((reads) => reads.readEvents(taskId, after, limit));
  }

  readStatusEvent(taskId: string, sequence: number) {
    return this.#read((reads) => reads.readStatusEvent(taskId, sequence));
  }

  writeSnapshot(taskId: string, snapshot: Snapshot) {
    return this.#write((backend) => backend.writeSnapshot(taskId, snapshot));
  }

  readSnapshot(taskId: string, mostCharacters?: number) {
    return this.#read((reads) => reads.readSnapshot(taskId, mostCharacters));
  }

  listTasks(query: TaskQuery) {
    return this.#read((reads) => reads.listTasks(query));
  }

  listAllTasks(query: AllTasksQuery) {
    return this.#read((reads) => reads.listAllTasks(query));
  }

  readUsage(owner: string) {
    return this.#read((reads) => reads.readUsage(owner));
  }

  findIdempotencyKey(owner: string, key: string) {
    return this.#read((reads) => reads.findIdempotencyKey(owner, key));
  }

  onCommit(listener: CommitListener): () => void {
    return this.#listeners.add(listener);
  }

  heartbeat(holder: string, ttlMilliseconds: number) {
    return this.#write((backend) => backend.heartbeat(holder, ttlMilliseconds));
  }

  isAlive(holder: string) {
    return this.#read((reads) => reads.isAlive(holder));
  }

  listHolders() {
    return this.#read((reads) => reads.listHolders());
  }

  readHolder(taskId: string) {
    return this.#read((reads) => reads.readHolder(taskId));
  }

  acquireLease(taskId: string, holder: string, options?: { force?: boolean }) {
    return this.#write((backend) => backend.acquireLease(taskId, holder, options));
  }

  releaseLease(taskId: string, fence: number) {
    return this.#write((backend) => backend.releaseLease(taskId, fence));
  }

  listOrphans(limit: number) {
    return this.#read((reads) => reads.listOrphans(limit));
  }

  getRecord(namespace: string, key: string) {
    return this.#read((reads) => reads.getRecord(namespace, key));
  }

  putRecord(namespace: string, key: string, value: string) {
    return this.#write((backend) => backend.putRecord(namespace, key, value));
  }

  replaceRecord(namespace: string, key: string, expected: string | undefined, value: string) {
    return this.#write((backend) => backend.replaceRecord(namespace, key, expected, value));
  }

  deleteRecord(namespace: string, key: string, expected?: string) {
    return this.#write((backend) => backend.deleteRecord(namespace, key, expected));
  }

  listRecords(namespace: string, prefix?: string, page?: RecordPage) {
    return this.#read((reads) => reads.listRecords(namespace, prefix, page));
  }

  readonly retention: Retention = {
    listEnded: (query) => this.#read((reads) => reads.listEnded(query)),
    listExcess: (query) => this.#read((reads) => reads.listExcess(query)),
    deleteTask: (taskId) => this.#write((backend) => backend.deleteTask(taskId)),
    trimJournal: (taskId) => this.#write((backend) => backend.trimJournal(taskId)),
  };

  close(): Promise<void> {
    this.#closing ??= this.#backend.close();
    return this.#closing;
  }

  #read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result> {
    return this.#closing === undefined ? this.#backend.read(query) : Promise.reject(storeClosed());
  }

  #write<Result>(write: (backend: StoreWrites) => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) return Promise.reject(storeClosed());
    const { problem } = this.#backend;
    return problem === undefined ? write(this.#backend) : Promise.reject(problem);
  }

  #writeEntries<Result>(
    entries: readonly JournalEntry[],
    write: (backend: StoreWrites) => Promise<Result>,
  ): Promise<Result> {
    return this.#write((backend) => {
      const problem = problemOf(entries);
      return problem === undefined
        ? write(backend)
        : Promise.reject(new StoreError('invalid-entry', problem));
    });
  }
}

/** The listeners that are called after each commit. */
export class CommitListeners {
  readonly #listeners = new Set<CommitListener>();

  /** Returns a function that removes the listener. The same listener may be added twice. */
  add(listener: CommitListener): () => void {
    const own: CommitListener = (commits) => listener(commits);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  get size(): number {
    return this.#listeners.size;
  }

  announce(commits: Parameters<CommitListener>[0]): void {
    if (commits.length > 0) this.#call(commits);
  }

  /** Commits may have been missed: listeners are called without any, so that they read again. */
  announceMissed(): void {
    this.#call([]);
  }

  #call(commits: Parameters<CommitListener>[0]): void {
    for (const listener of this.#listeners) {
      try {
        listener(commits);
      } catch (error) {
        // A bug in the listener: report it without stopping the store.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/** Backends store events as lines of tab-separated fields, and an append has at least one event. */
function problemOf(entries: readonly JournalEntry[]): string | undefined {
  if (entries.length === 0) return 'An append needs at least one event, found none.';
  const areLines = entries.every(
    ({ json, internal }) => isOneLine(json) && (internal === undefined || isOneLine(internal)),
  );
  return areLines
    ? undefined
    : 'An event must be JSON on a single line without tabs; serialize it with JSON.stringify(value).';
}

function isOneLine(text: string): boolean {
  return text !== '' && !text.includes('\n') && !text.includes('\t');
}
