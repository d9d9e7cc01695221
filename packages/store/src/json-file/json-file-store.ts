import { checkEntries } from '../check-entries.ts';
import { CommitListeners } from '../commit-listeners.ts';
import type { FolderLock } from '../folder-lock.ts';
import type { TaskTable } from '../memory/task-table.ts';
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
import { storeClosed, unknownTask } from '../rejections.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Adopt } from './adopt.ts';
import type { JournalChange, JournalFiles } from './journal-files.ts';
import { eventsOfLine, JOURNAL_VERSION, TRIMMED_VERSION, type TrimmedLine } from './journal-line.ts';
import type { RecordsFile } from './records-file.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

export interface JsonFileStoreParts {
  tasks: TaskTable;
  journals: JournalFiles;
  records: RecordsFile;
  snapshots: SnapshotFiles;
  lock: FolderLock;
  adopt?: Adopt;
}

/**
 * The store on plain files: the table of the memory store, backed by a journal file per task. A change is checked against
 * the table, written and synced, then made visible in the table (J1). One process serves a folder, so heartbeats stay in
 * memory: the holders of earlier processes are gone when this one opens the folder.
 */
export class JsonFileStore implements Store {
  readonly kind = 'json-file';
  readonly isShared = false;
  readonly #tasks: TaskTable;
  readonly #journals: JournalFiles;
  readonly #records: RecordsFile;
  readonly #snapshots: SnapshotFiles;
  readonly #lock: FolderLock;
  readonly #adopt: Adopt | undefined;
  readonly #listeners = new CommitListeners();
  readonly #queue: CommitQueue<JournalChange>;
  #closing: Promise<void> | undefined;

  constructor(parts: JsonFileStoreParts) {
    this.#tasks = parts.tasks;
    this.#journals = parts.journals;
    this.#records = parts.records;
    this.#snapshots = parts.snapshots;
    this.#lock = parts.lock;
    this.#adopt = parts.adopt;
    this.#queue = new CommitQueue(
      (group) => this.#journals.write(group),
      (written) => this.#listeners.announce(written.flatMap(commitOf)),
    );
  }

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    checkEntries(task.entries);
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
    checkEntries(append.entries);
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

  async readTask(taskId: string): Promise<TaskHeader | undefined> {
    this.#checkOpen();
    return this.#tasks.header(taskId) ?? this.#readAdopted(taskId);
  }

  async readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]> {
    this.#checkOpen();
    return this.#journals.readEvents(taskId, after, limit);
  }

  async readStatusEvent(taskId: string, sequence: number): Promise<CommittedEvent | undefined> {
    this.#checkOpen();
    const found = this.#tasks.statusSequence(taskId, sequence);
    if (found === undefined) return undefined;
    const [event] = await this.#journals.readEvents(taskId, found - 1, 1);
    return event;
  }

  async writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void> {
    this.#checkOpen();
    if (!this.#tasks.has(taskId)) throw unknownTask(taskId);
    return this.#snapshots.write(taskId, snapshot);
  }

  async readSnapshot(taskId: string): Promise<Snapshot | undefined> {
    this.#checkOpen();
    return this.#snapshots.read(taskId);
  }

  async listTasks(query: TaskQuery): Promise<TaskHeaderPage> {
    this.#checkOpen();
    return this.#tasks.list(query);
  }

  async findIdempotencyKey(owner: string, key: string): Promise<IdempotencyEntry | undefined> {
    this.#checkOpen();
    return this.#tasks.findIdempotencyKey(owner, key);
  }

  onCommit(listener: CommitListener): () => void {
    return this.#listeners.add(listener);
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    this.#checkOpen();
    this.#tasks.heartbeat(holder, Date.now() + ttlMilliseconds);
  }

  async isAlive(holder: string): Promise<boolean> {
    this.#checkOpen();
    return this.#tasks.isAlive(holder, Date.now());
  }

  acquireLease(taskId: string, holder: string, options?: { force?: boolean }): Promise<number | undefined> {
    return this.#queue.commit([taskSubject(taskId)], () => {
      const fence = this.#tasks.checkAcquire(taskId, holder, Date.now(), options?.force);
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

  async listOrphans(limit: number): Promise<TaskHeader[]> {
    this.#checkOpen();
    return this.#tasks.orphans(Date.now(), limit);
  }

  async getRecord(namespace: string, key: string): Promise<string | undefined> {
    this.#checkOpen();
    return this.#records.committed.get(namespace, key);
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    this.#checkOpen();
    return this.#records.change((table) => table.put(namespace, key, value));
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    this.#checkOpen();
    return this.#records.change((table) => table.replace(namespace, key, expected, value));
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    this.#checkOpen();
    return this.#records.change((table) => table.delete(namespace, key, expected));
  }

  async listRecords(namespace: string, prefix?: string, page?: RecordPage): Promise<RecordEntry[]> {
    this.#checkOpen();
    return this.#records.committed.list(namespace, prefix, page);
  }

  readonly retention: Retention = {
    listEnded: async (query) => {
      this.#checkOpen();
      return this.#tasks.ended(query);
    },
    listExcess: async (query) => {
      this.#checkOpen();
      return this.#tasks.excess(query);
    },
    deleteTask: (taskId) => this.#deleteTask(taskId),
    trimJournal: (taskId) => this.#trimJournal(taskId),
  };

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
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
    } catch (error) {
      // Another reader was faster.
      if (!this.#tasks.has(taskId)) throw error;
    }
    return this.#tasks.header(taskId);
  }

  async #deleteTask(taskId: string): Promise<boolean> {
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

  async #trimJournal(taskId: string): Promise<boolean> {
    this.#checkOpen();
    const line = await this.#trimmedLine(taskId);
    if (line === undefined) return false;
    return this.#queue.commit<boolean>([taskSubject(taskId)], () => {
      const header = this.#tasks.endedHeader(taskId);
      if (header?.lastSequence !== line.header.lastSequence) return { apply: () => false };
      return {
        write: { taskId, line },
        apply: () => {
          this.#tasks.trim(taskId);
          return true;
        },
      };
    });
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

  #checkOpen(): void {
    if (this.#closing !== undefined) throw storeClosed();
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
