import type { Backend, CommitListeners, StoreReads } from '../backed-store.ts';
import type { CreateTaskResult, JournalAppend, NewTask, Snapshot } from '../port.ts';
import { fromDatabaseText, toDatabaseText } from '../sql/rows.ts';
import { CommitFeed } from './commit-feed.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { GroupWriter } from './group-writer.ts';
import type { ConnectionEvents } from './persistent-connection.ts';
import { Reader } from './reader.ts';
import { appendToWrite, newTaskToWrite } from './write.ts';

/**
 * The backend on PostgreSQL, for any number of processes on one database. Responsible for turning calls into writes and
 * reads. Leaves groups to GroupWriter, commit hints to CommitFeed, checks to the functions in the database (`functions.sql`)
 * and SQL to Reader.
 */
export class PostgresBackend implements Backend {
  readonly kind = 'postgres';
  readonly isShared = true;
  readonly #writer: GroupWriter;
  readonly #reader: Reader;
  readonly #feed: CommitFeed;

  constructor(
    settings: ConnectionSettings,
    poolSize: number,
    listeners: CommitListeners,
    events: ConnectionEvents,
  ) {
    this.#reader = new Reader(settings, poolSize);
    this.#feed = new CommitFeed({
      settings,
      events,
      listeners,
      listCommittedGroups: () => this.#reader.read((reads) => reads.listCommittedGroups()),
    });
    this.#writer = new GroupWriter({ settings, events, onCommits: (group) => this.#feed.announce(group) });
  }

  /** Resolves when the store receives the commits of other processes. */
  ready(): Promise<void> {
    return this.#feed.ready();
  }

  read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result> {
    return this.#reader.read(query);
  }

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    const write = newTaskToWrite(task);
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
    const write = appendToWrite(append);
    await this.#writer.write(write, { taskId: append.taskId, lastSequence: write.last_sequence });
  }

  async writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void> {
    await this.#writer.write({
      kind: 'write-snapshot',
      task_id: toDatabaseText(taskId),
      last_sequence: snapshot.sequence,
      value: toDatabaseText(snapshot.json),
    });
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    const ttl = Math.round(ttlMilliseconds);
    await this.#writer.write({ kind: 'heartbeat', holder: toDatabaseText(holder), ttl });
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
      expected: expected === undefined ? undefined : toDatabaseText(expected),
    });
    return replaced === true;
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    const deleted = await this.#writer.write({
      kind: 'delete-record',
      namespace: toDatabaseText(namespace),
      key: toDatabaseText(key),
      expected: expected === undefined ? undefined : toDatabaseText(expected),
    });
    return deleted === true;
  }

  async deleteTask(taskId: string): Promise<boolean> {
    return (await this.#writer.write({ kind: 'delete-task', task_id: toDatabaseText(taskId) })) === true;
  }

  async trimJournal(taskId: string): Promise<boolean> {
    return (await this.#writer.write({ kind: 'trim-journal', task_id: toDatabaseText(taskId) })) === true;
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()]);
    await this.#feed.close();
  }
}
