import { steadyNow } from '@holdword/protocol/internal';
import type { Backend, CommitListeners, StoreReads } from '../backed-store.ts';
import { bytesOf } from '../memory/task-row.ts';
import { checkFreeSpace } from '../data-folder.ts';
import type { TaskTable } from '../memory/task-table.ts';
import type { CreateTaskResult, JournalAppend, NewTask, Snapshot, TaskHeader } from '../port.ts';
import { unknownTask } from '../rejections.ts';
import type { FolderLock } from '../sqlite/folder-lock.ts';
import type { StoreError } from '../store-error.ts';
import { CommitQueue } from './commit-queue.ts';
import type { JournalChange, JournalFiles } from './journal-files.ts';
import { eventsOfLine, JOURNAL_VERSION, TRIMMED_VERSION, type TrimmedLine } from './journal-line.ts';
import type { RecordsFile } from './records-file.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

/** A task of another program, converted to this store's format. */
export interface AdoptedTask {
  /** With its whole journal and without a holder. */
  task: NewTask;
  /** The task after its last event. */
  snapshot: Snapshot;
}

/**
 * Looks up a task that this store does not have.
 *
 * @throws StoreError `corrupt`, `unavailable`
 */
export type Adopt = (taskId: string) => Promise<AdoptedTask | undefined>;

export interface JsonFileParts {
  folder: string;
  tasks: TaskTable;
  journals: JournalFiles;
  records: RecordsFile;
  snapshots: SnapshotFiles;
  lock: FolderLock;
  adopt: Adopt | undefined;
  listeners: CommitListeners;
}

/**
 * The backend on plain files: the table of the memory backend, backed by a journal file per task. A change is checked against
 * the table, written and synced, then made visible in the table (J1). One process serves a folder, so heartbeats stay in
 * memory: the holders of earlier processes are gone when this one opens the folder.
 */
export class JsonFileBackend implements Backend {
  readonly kind = 'json-file';
  readonly isShared = false;
  readonly #folder: string;
  readonly #tasks: TaskTable;
  readonly #journals: JournalFiles;
  readonly #records: RecordsFile;
  readonly #snapshots: SnapshotFiles;
  readonly #lock: FolderLock;
  readonly #adopt: Adopt | undefined;
  readonly #reads: StoreReads;
  readonly #queue: CommitQueue<JournalChange>;

  constructor(parts: JsonFileParts) {
    this.#folder = parts.folder;
    this.#tasks = parts.tasks;
    this.#journals = parts.journals;
    this.#records = parts.records;
    this.#snapshots = parts.snapshots;
    this.#lock = parts.lock;
    this.#adopt = parts.adopt;
    this.#queue = new CommitQueue(
      (group) => this.#journals.write(group),
      (written) => parts.listeners.announce(written.flatMap(commitOf)),
    );
    this.#reads = {
      ...this.#tasks.reads,
      readTask: (taskId) => this.#tasks.header(taskId) ?? this.#readAdopted(taskId),
      readEvents: (taskId, after, limit) => this.#journals.readEvents(taskId, after, limit),
      readStatusEvent: async (taskId, sequence) => {
        const found = this.#tasks.statusSequence(taskId, sequence);
        if (found === undefined) return undefined;
        const [event] = await this.#journals.readEvents(taskId, found - 1, 1);
        return event;
      },
      readSnapshot: (taskId, mostCharacters) => this.#snapshots.read(taskId, mostCharacters),
      getRecord: (namespace, key) => this.#records.committed.get(namespace, key),
      listRecords: (namespace, prefix, page) => this.#records.committed.list(namespace, prefix, page),
    };
  }

  get problem(): StoreError | undefined {
    return this.#lock.problem;
  }

  async read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result> {
    return query(this.#reads);
  }

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    return this.#queue.commit<CreateTaskResult>(subjectsOf(task.taskId, task.owner, task.idempotency), () => {
      const existing = this.#tasks.checkCreate(task);
      if (existing !== undefined) return { apply: () => ({ created: false, existing }) };
      const key = this.#tasks.nextKey();
      return {
        write: { taskId: task.taskId, line: { kind: 'task', version: JOURNAL_VERSION, key, task } },
        apply: () => {
          this.#tasks.create(task, key);
          return { created: true, fence: 1 };
        },
      };
    });
  }

  async append(append: JournalAppend): Promise<void> {
    const { taskId, idempotency } = append;
    return this.#queue.commit(subjectsOf(taskId, idempotency?.owner, idempotency), () => {
      this.#tasks.checkAppend(append);
      const accepted = this.#withoutTakenKey(append);
      return {
        write: { taskId, line: { kind: 'append', append: accepted } },
        apply: () => this.#tasks.append(accepted),
      };
    });
  }

  async writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void> {
    if (!this.#tasks.has(taskId)) throw unknownTask(taskId);
    this.#tasks.addBytes(taskId, await this.#snapshots.write(taskId, snapshot));
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    await checkFreeSpace(this.#folder);
    this.#tasks.heartbeat(holder, steadyNow() + ttlMilliseconds);
  }

  acquireLease(taskId: string, holder: string, options?: { force?: boolean }): Promise<number | undefined> {
    return this.#queue.commit([taskSubject(taskId)], () => {
      const fence = this.#tasks.checkAcquire(taskId, holder, options?.force);
      if (fence === undefined) return { apply: () => undefined };
      return {
        write: { taskId, line: { kind: 'lease', fence, holder } },
        apply: () => {
          this.#tasks.setLease(taskId, fence, holder);
          return fence;
        },
      };
    });
  }

  releaseLease(taskId: string, fence: number): Promise<void> {
    return this.#queue.commit([taskSubject(taskId)], () => {
      if (!this.#tasks.holdsLease(taskId, fence)) return { apply: () => undefined };
      return {
        write: { taskId, line: { kind: 'lease', fence } },
        apply: () => this.#tasks.setLease(taskId, fence, undefined),
      };
    });
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    return this.#records.change((table) => table.put(namespace, key, value));
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    return this.#records.change((table) => table.replace(namespace, key, expected, value));
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    return this.#records.change((table) => table.delete(namespace, key, expected));
  }

  async deleteTask(taskId: string): Promise<boolean> {
    const removed = await this.#queue.commit<boolean>([taskSubject(taskId)], () => {
      if (this.#tasks.endedHeader(taskId) === undefined) return { apply: () => false };
      return {
        write: { taskId },
        apply: () => {
          this.#tasks.delete(taskId);
          return true;
        },
      };
    });
    if (removed) await this.#snapshots.remove(taskId);
    return removed;
  }

  async trimJournal(taskId: string): Promise<boolean> {
    const line = await this.#trimmedLine(taskId);
    if (line === undefined) return false;
    return this.#queue.commit<boolean>([taskSubject(taskId)], () => {
      const header = this.#tasks.endedHeader(taskId);
      if (header?.lastSequence !== line.header.lastSequence) return { apply: () => false };
      return {
        write: { taskId, line },
        apply: () => {
          this.#tasks.trim(taskId, bytesOf([line.entry]) + this.#snapshots.sizeOf(taskId));
          return true;
        },
      };
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#records.close(), this.#snapshots.close()]);
    this.#lock.release();
  }

  /** Adopts a task of another program. The snapshot is written first: without its task nobody reads it. */
  async #readAdopted(taskId: string): Promise<TaskHeader | undefined> {
    const adopted = await this.#adopt?.(taskId);
    if (adopted === undefined) return undefined;
    await this.#snapshots.write(taskId, adopted.snapshot);
    try {
      await this.createTask(adopted.task);
      this.#tasks.addBytes(taskId, this.#snapshots.sizeOf(taskId));
    } catch (error) {
      // Another reader was faster.
      if (!this.#tasks.has(taskId)) throw error;
    }
    return this.#tasks.header(taskId);
  }

  /** What remains of an ended task after trimming, if its snapshot includes the last event. */
  async #trimmedLine(taskId: string): Promise<TrimmedLine | undefined> {
    const header = this.#tasks.endedHeader(taskId);
    if (header === undefined) return undefined;
    const { lastSequence } = header;
    if ((await this.#snapshots.read(taskId))?.sequence !== lastSequence) return undefined;
    const [last] = await this.#journals.readEvents(taskId, lastSequence - 1, 1);
    if (last === undefined) return undefined;
    const { sequence, ...event } = last;
    const changesStatus = this.#tasks.statusSequence(taskId, sequence) === sequence;
    return {
      kind: 'trimmed',
      version: TRIMMED_VERSION,
      key: this.#tasks.keyOf(taskId),
      header: { ...header, firstSequence: lastSequence },
      entry: { ...event, ...(changesStatus && { changesStatus }) },
      idempotency: this.#tasks.idempotencyKeysOf(taskId),
    };
  }

  /** Files are loaded in any order, so a line must not contain a key that another task's file has. */
  #withoutTakenKey(append: JournalAppend): JournalAppend {
    const { idempotency, ...rest } = append;
    if (idempotency === undefined) return append;
    return this.#tasks.findIdempotencyKey(idempotency.owner, idempotency.key) === undefined ? append : rest;
  }
}

function taskSubject(taskId: string): string {
  return JSON.stringify([taskId]);
}

function subjectsOf(
  taskId: string,
  owner: string | undefined,
  idempotency: { key: string } | undefined,
): string[] {
  if (idempotency === undefined) return [taskSubject(taskId)];
  return [taskSubject(taskId), JSON.stringify([owner, idempotency.key])];
}

function commitOf({ taskId, line }: JournalChange): { taskId: string; lastSequence: number }[] {
  const events = line && eventsOfLine(line);
  return events === undefined || line?.kind === 'trimmed'
    ? []
    : [{ taskId, lastSequence: events.firstSequence + events.entries.length - 1 }];
}
