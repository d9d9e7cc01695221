import { CommitListeners } from '../commit-listeners.ts';
import { toDatabaseText } from '../database-text.ts';
import type { FolderLock } from '../folder-lock.ts';
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
import { stateToCode } from '../state-codes.ts';
import { GroupWriter } from './group-writer.ts';
import { Reader } from './reader.ts';
import type { IdempotencyTuple } from './write.ts';

/**
 * The store on SQLite. Responsible for turning calls into writes for the writer thread and reads on this one. Leaves groups
 * to GroupWriter and SQL to `writes/` and `reads/`. `onCommit` reports the commits of this process only: no other process
 * writes journals, because one process serves a folder at a time.
 */
export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly isShared = false;
  readonly #lock: FolderLock | undefined;
  readonly #listeners = new CommitListeners();
  readonly #writer: GroupWriter;
  readonly #reader: Reader;
  #closing: Promise<void> | undefined;

  constructor(file: string, lock: FolderLock | undefined) {
    this.#lock = lock;
    this.#reader = new Reader(file);
    this.#writer = new GroupWriter(file, (commits) => this.#listeners.announce(commits));
  }

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    const { taskId, owner, contextId, status, entries, holder, idempotency } = task;
    const existing = await this.#writer.write(
      [
        'create-task',
        toDatabaseText(taskId),
        toDatabaseText(owner),
        toDatabaseText(contextId),
        stateToCode(status.state),
        status.time,
        status.json,
        holder === undefined ? null : toDatabaseText(holder),
        idempotency === undefined ? null : toIdempotencyTuple({ ...idempotency, owner }),
        entriesToRows(entries),
      ],
      { taskId, lastSequence: entries.length },
    );
    if (typeof existing === 'object' && 'taskId' in existing) return { created: false, existing };
    return { created: true, fence: 1 };
  }

  async append(append: JournalAppend): Promise<void> {
    const { taskId, fence, firstSequence, entries, status, releaseLease, idempotency } = append;
    await this.#writer.write(
      [
        'append',
        toDatabaseText(taskId),
        fence,
        firstSequence,
        status === undefined ? 0 : stateToCode(status.state),
        status?.time ?? 0,
        status?.json ?? '',
        releaseLease ?? false,
        idempotency === undefined ? null : toIdempotencyTuple(idempotency),
        entriesToRows(entries),
      ],
      { taskId, lastSequence: firstSequence + entries.length - 1 },
    );
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
    await this.#writer.write(['write-snapshot', toDatabaseText(taskId), snapshot.sequence, snapshot.json]);
  }

  readSnapshot(taskId: string): Promise<Snapshot | undefined> {
    return this.#reader.read((reads) => reads.readSnapshot(taskId));
  }

  listTasks(query: TaskQuery): Promise<TaskHeaderPage> {
    return this.#reader.read((reads) => reads.listTasks(query));
  }

  findIdempotencyKey(owner: string, key: string): Promise<IdempotencyEntry | undefined> {
    return this.#reader.read((reads) => reads.findIdempotencyKey(toDatabaseText(owner), toDatabaseText(key)));
  }

  onCommit(listener: CommitListener): () => void {
    return this.#listeners.add(listener);
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    await this.#writer.write(['heartbeat', toDatabaseText(holder), Date.now() + ttlMilliseconds]);
  }

  isAlive(holder: string): Promise<boolean> {
    return this.#reader.read((reads) => reads.isAlive(holder, Date.now()));
  }

  async acquireLease(
    taskId: string,
    holder: string,
    options?: { force?: boolean },
  ): Promise<number | undefined> {
    const force = options?.force ?? false;
    const fence = await this.#writer.write([
      'acquire-lease',
      toDatabaseText(taskId),
      toDatabaseText(holder),
      Date.now(),
      force,
    ]);
    return typeof fence === 'number' ? fence : undefined;
  }

  async releaseLease(taskId: string, fence: number): Promise<void> {
    await this.#writer.write(['release-lease', toDatabaseText(taskId), fence]);
  }

  listOrphans(limit: number): Promise<TaskHeader[]> {
    return this.#reader.read((reads) => reads.listOrphans(Date.now(), limit));
  }

  getRecord(namespace: string, key: string): Promise<string | undefined> {
    return this.#reader.read((reads) => reads.getRecord(namespace, key));
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    await this.#writer.write([
      'put-record',
      toDatabaseText(namespace),
      toDatabaseText(key),
      toDatabaseText(value),
    ]);
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    const isReplaced = await this.#writer.write([
      'replace-record',
      toDatabaseText(namespace),
      toDatabaseText(key),
      expected === undefined ? null : toDatabaseText(expected),
      toDatabaseText(value),
    ]);
    return isReplaced === true;
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    const isDeleted = await this.#writer.write([
      'delete-record',
      toDatabaseText(namespace),
      toDatabaseText(key),
      expected === undefined ? null : toDatabaseText(expected),
    ]);
    return isDeleted === true;
  }

  listRecords(namespace: string, prefix?: string, page?: RecordPage): Promise<RecordEntry[]> {
    return this.#reader.read((reads) => reads.listRecords(namespace, prefix, page));
  }

  readonly retention: Retention = {
    listEnded: (query) => this.#reader.read((reads) => reads.listEnded(query)),
    listExcess: (query) => this.#reader.read((reads) => reads.listExcess(query)),
    deleteTask: async (taskId) =>
      (await this.#writer.write(['delete-task', toDatabaseText(taskId)])) === true,
    trimJournal: async (taskId) =>
      (await this.#writer.write(['trim-journal', toDatabaseText(taskId)])) === true,
  };

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#reader.close();
    await this.#writer.close();
    this.#lock?.release();
  }
}

function toIdempotencyTuple(entry: { owner: string; key: string; payloadHash: string }): IdempotencyTuple {
  return [toDatabaseText(entry.owner), toDatabaseText(entry.key), toDatabaseText(entry.payloadHash)];
}
