import { dirname } from 'node:path';
import { steadyNow } from '@holdword/protocol/internal';
import type { Backend, CommitListeners, StoreReads } from '../backed-store.ts';
import { checkFreeSpace } from '../data-folder.ts';
import type { CreateTaskResult, JournalAppend, NewTask, Snapshot } from '../port.ts';
import { entriesToRows, stateToCode, toDatabaseText } from '../sql/rows.ts';
import type { StoreError } from '../store-error.ts';
import type { FolderLock } from './folder-lock.ts';
import { GroupWriter } from './group-writer.ts';
import { Reader } from './reader.ts';
import type { IdempotencyTuple } from './write.ts';

/**
 * The backend on SQLite. Responsible for turning calls into writes for the writer thread and reads on this one. Leaves groups
 * to GroupWriter, SQL to Reader and `applyGroup`. Announces the commits of this process only: no other process writes
 * journals, because one process serves a folder at a time.
 */
export class SqliteBackend implements Backend {
  readonly kind = 'sqlite';
  readonly isShared = false;
  readonly #folder: string;
  readonly #lock: FolderLock | undefined;
  readonly #writer: GroupWriter;
  readonly #reader: Reader;

  constructor(file: string, lock: FolderLock | undefined, listeners: CommitListeners) {
    this.#folder = dirname(file);
    this.#lock = lock;
    this.#reader = new Reader(file);
    this.#writer = new GroupWriter(file, (commits) => listeners.announce(commits));
  }

  get problem(): StoreError | undefined {
    return this.#lock?.problem;
  }

  read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result> {
    return this.#reader.read(query);
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
        toTextOrNull(holder),
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

  async writeSnapshot(taskId: string, { sequence, json }: Snapshot): Promise<void> {
    await this.#writer.write(['write-snapshot', toDatabaseText(taskId), sequence, json]);
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    await checkFreeSpace(this.#folder);
    await this.#writer.write(['heartbeat', toDatabaseText(holder), steadyNow() + ttlMilliseconds]);
  }

  async acquireLease(
    taskId: string,
    holder: string,
    options?: { force?: boolean },
  ): Promise<number | undefined> {
    const [id, name] = [toDatabaseText(taskId), toDatabaseText(holder)];
    const fence = await this.#writer.write(['acquire-lease', id, name, steadyNow(), options?.force ?? false]);
    return typeof fence === 'number' ? fence : undefined;
  }

  async releaseLease(taskId: string, fence: number): Promise<void> {
    await this.#writer.write(['release-lease', toDatabaseText(taskId), fence]);
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    const record = toRecordName(namespace, key);
    await this.#writer.write(['put-record', ...record, toDatabaseText(value)]);
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    const record = toRecordName(namespace, key);
    const values = [toTextOrNull(expected), toDatabaseText(value)] as const;
    return (await this.#writer.write(['replace-record', ...record, ...values])) === true;
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    const record = toRecordName(namespace, key);
    return (await this.#writer.write(['delete-record', ...record, toTextOrNull(expected)])) === true;
  }

  async deleteTask(taskId: string): Promise<boolean> {
    return (await this.#writer.write(['delete-task', toDatabaseText(taskId)])) === true;
  }

  async trimJournal(taskId: string): Promise<boolean> {
    return (await this.#writer.write(['trim-journal', toDatabaseText(taskId)])) === true;
  }

  async close(): Promise<void> {
    this.#reader.close();
    await this.#writer.close();
    this.#lock?.release();
  }
}

function toTextOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toDatabaseText(text);
}

function toRecordName(namespace: string, key: string): [namespace: string, key: string] {
  return [toDatabaseText(namespace), toDatabaseText(key)];
}

function toIdempotencyTuple(entry: { owner: string; key: string; payloadHash: string }): IdempotencyTuple {
  return [toDatabaseText(entry.owner), toDatabaseText(entry.key), toDatabaseText(entry.payloadHash)];
}
