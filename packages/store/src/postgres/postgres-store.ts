import { CommitListeners } from '../commit-listeners.ts';
import { entriesToRows } from '../journal-rows.ts';
import type {
  CommitListener,
  CommittedEvent,
  CreateTaskResult,
  IdempotencyEntry,
  JournalAppend,
  NewTask,
  RecordEntry,
  RecordPage,
  Retention,
  Snapshot,
  Store,
  TaskHeader,
  TaskHeaderPage,
  TaskQuery,
} from '../port.ts';
import { CommitFeed } from './commit-feed.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { fromDatabaseText, toDatabaseText } from '../database-text.ts';
import { GroupWriter } from './group-writer.ts';
import type { PostgresStoreLog } from './open-postgres-store.ts';
import { Reader } from './reader.ts';
import { appendToWrite, newTaskToWrite } from './to-write.ts';
import type { RetentionWrite } from './write.ts';

/**
 * The store on PostgreSQL, for any number of processes on one database. Responsible for turning calls into writes and reads.
 * Leaves groups to GroupWriter, commit hints to CommitFeed, checks to the functions in the database and SQL to `reads/`.
 */
export class PostgresStore implements Store {
  readonly kind = 'postgres';
  readonly isShared = true;
  readonly #listeners = new CommitListeners();
  readonly #writer: GroupWriter;
  readonly #reader: Reader;
  readonly #feed: CommitFeed;
  #closing: Promise<void> | undefined;

  constructor(settings: ConnectionSettings, poolSize: number, log: PostgresStoreLog) {
    const events = {
      onLost: () => log.warn('Lost a connection to PostgreSQL; reconnecting.'),
      onRestored: () => log.info('Reconnected to PostgreSQL.'),
    };
    this.#reader = new Reader(settings, poolSize);
    this.#feed = new CommitFeed({
      settings,
      events,
      listeners: this.#listeners,
      listCommittedGroups: () => this.#reader.read((reads) => reads.listCommittedGroups()),
    });
    this.#writer = new GroupWriter({ settings, events, onCommits: (group) => this.#feed.announce(group) });
  }

  /** Resolves when the store receives the commits of other processes. */
  ready(): Promise<void> {
    return this.#feed.ready();
  }

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    const write = newTaskToWrite(task, entriesToRows(task.entries));
    const existing = await this.#writer.write(write, {
      taskId: task.taskId,
      lastSequence: task.entries.length,
    });
    if (typeof existing !== 'object' || !('taskId' in existing)) return { created: true, fence: 1 };
    const { taskId, payloadHash } = existing;
    return {
      created: false,
      existing: { taskId: fromDatabaseText(taskId), payloadHash: fromDatabaseText(payloadHash) },
    };
  }

  async append(append: JournalAppend): Promise<void> {
    const write = appendToWrite(append, entriesToRows(append.entries));
    await this.#writer.write(write, { taskId: append.taskId, lastSequence: write.last_sequence });
  }

  readTask(taskId: string): Promise<TaskHeader | undefined> {
    return this.#reader.read((reads) => reads.readTask(taskId));
  }

  readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]> {
    return this.#reader.read((reads) => reads.readEvents(taskId, after, limit));
  }

  readStatusEvent(taskId: string, sequence: number): Promise<CommittedEvent | undefined> {
    return this.#reader.read((reads) => reads.readStatusEvent(taskId, sequence));
  }

  async writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void> {
    await this.#writer.write({
      kind: 'write-snapshot',
      task_id: toDatabaseText(taskId),
      last_sequence: snapshot.sequence,
      value: toDatabaseText(snapshot.json),
    });
  }

  readSnapshot(taskId: string): Promise<Snapshot | undefined> {
    return this.#reader.read((reads) => reads.readSnapshot(taskId));
  }

  listTasks(query: TaskQuery): Promise<TaskHeaderPage> {
    return this.#reader.read((reads) => reads.listTasks(query));
  }

  findIdempotencyKey(owner: string, key: string): Promise<IdempotencyEntry | undefined> {
    return this.#reader.read((reads) => reads.findIdempotencyKey(owner, key));
  }

  onCommit(listener: CommitListener): () => void {
    return this.#listeners.add(listener);
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    const ttl = Math.round(ttlMilliseconds);
    await this.#writer.write({ kind: 'heartbeat', holder: toDatabaseText(holder), ttl });
  }

  isAlive(holder: string): Promise<boolean> {
    return this.#reader.read((reads) => reads.isAlive(holder));
  }

  async acquireLease(
    taskId: string,
    holder: string,
    options?: { force?: boolean },
  ): Promise<number | undefined> {
    const fence = await this.#writer.write({
      kind: 'acquire-lease',
      task_id: toDatabaseText(taskId),
      holder: toDatabaseText(holder),
      forces: options?.force ?? false,
    });
    return typeof fence === 'number' ? fence : undefined;
  }

  async releaseLease(taskId: string, fence: number): Promise<void> {
    await this.#writer.write({ kind: 'release-lease', task_id: toDatabaseText(taskId), fence });
  }

  listOrphans(limit: number): Promise<TaskHeader[]> {
    return this.#reader.read((reads) => reads.listOrphans(limit));
  }

  getRecord(namespace: string, key: string): Promise<string | undefined> {
    return this.#reader.read((reads) => reads.getRecord(namespace, key));
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    await this.#writer.write({
      kind: 'put-record',
      namespace: toDatabaseText(namespace),
      key: toDatabaseText(key),
      value: toDatabaseText(value),
    });
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    const replaced = await this.#writer.write({
      kind: 'replace-record',
      namespace: toDatabaseText(namespace),
      key: toDatabaseText(key),
      value: toDatabaseText(value),
      ...(expected !== undefined && { expected: toDatabaseText(expected) }),
    });
    return replaced === true;
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    const deleted = await this.#writer.write({
      kind: 'delete-record',
      namespace: toDatabaseText(namespace),
      key: toDatabaseText(key),
      ...(expected !== undefined && { expected: toDatabaseText(expected) }),
    });
    return deleted === true;
  }

  listRecords(namespace: string, prefix?: string, page?: RecordPage): Promise<RecordEntry[]> {
    return this.#reader.read((reads) => reads.listRecords(namespace, prefix, page));
  }

  readonly retention: Retention = {
    listEnded: (query) => this.#reader.read((reads) => reads.listEnded(query)),
    listExcess: (query) => this.#reader.read((reads) => reads.listExcess(query)),
    deleteTask: (taskId) => this.#forget('delete-task', taskId),
    trimJournal: (taskId) => this.#forget('trim-journal', taskId),
  };

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #forget(kind: RetentionWrite['kind'], taskId: string): Promise<boolean> {
    return (await this.#writer.write({ kind, task_id: toDatabaseText(taskId) })) === true;
  }

  async #finish(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()]);
    await this.#feed.close();
  }
}
