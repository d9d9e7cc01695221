import { checkEntries } from '../check-entries.ts';
import { CommitListeners } from '../commit-listeners.ts';
import type {
  CommitListener,
  CommittedEvent,
  CreateTaskResult,
  IdempotencyEntry,
  JournalAppend,
  JournalEntry,
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
import { entriesToEvents } from './entries-to-events.ts';
import { RecordTable } from './record-table.ts';
import { TaskTable } from './task-table.ts';

/**
 * The store in memory: the reference for the other backends, for tests and for agents that need not survive a restart. Each
 * call runs synchronously, so it is atomic.
 */
export class MemoryStore implements Store {
  readonly kind = 'memory';
  readonly isShared = false;
  readonly #tasks = new TaskTable();
  readonly #records = new RecordTable();
  readonly #events = new Map<string, CommittedEvent[]>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #listeners = new CommitListeners();
  #isOpen = true;

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    this.#checkOpen();
    checkEntries(task.entries);
    const existing = this.#tasks.checkCreate(task);
    if (existing !== undefined) return { created: false, existing };
    this.#tasks.create(task, this.#tasks.nextKey());
    this.#commit(task.taskId, 1, task.entries);
    return { created: true, fence: 1 };
  }

  async append(append: JournalAppend): Promise<void> {
    this.#checkOpen();
    checkEntries(append.entries);
    this.#tasks.checkAppend(append);
    this.#tasks.append(append);
    this.#commit(append.taskId, append.firstSequence, append.entries);
  }

  async readTask(taskId: string): Promise<TaskHeader | undefined> {
    this.#checkOpen();
    return this.#tasks.header(taskId);
  }

  async readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]> {
    this.#checkOpen();
    const events = this.#events.get(taskId) ?? [];
    const from = Math.max(0, after + 1 - (events[0]?.sequence ?? 1));
    return events.slice(from, from + limit).map((event) => ({ ...event }));
  }

  async readStatusEvent(taskId: string, sequence: number): Promise<CommittedEvent | undefined> {
    this.#checkOpen();
    const found = this.#tasks.statusSequence(taskId, sequence);
    if (found === undefined) return undefined;
    const [event] = await this.readEvents(taskId, found - 1, 1);
    return event;
  }

  async writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void> {
    this.#checkOpen();
    if (!this.#tasks.has(taskId)) throw unknownTask(taskId);
    const current = this.#snapshots.get(taskId);
    if (current !== undefined && current.sequence > snapshot.sequence) return;
    this.#snapshots.set(taskId, { ...snapshot });
  }

  async readSnapshot(taskId: string): Promise<Snapshot | undefined> {
    this.#checkOpen();
    const snapshot = this.#snapshots.get(taskId);
    return snapshot && { ...snapshot };
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

  async acquireLease(
    taskId: string,
    holder: string,
    options?: { force?: boolean },
  ): Promise<number | undefined> {
    this.#checkOpen();
    const fence = this.#tasks.checkAcquire(taskId, holder, Date.now(), options?.force);
    if (fence !== undefined) this.#tasks.setLease(taskId, fence, holder);
    return fence;
  }

  async releaseLease(taskId: string, fence: number): Promise<void> {
    this.#checkOpen();
    if (this.#tasks.holdsLease(taskId, fence)) this.#tasks.setLease(taskId, fence, undefined);
  }

  async listOrphans(limit: number): Promise<TaskHeader[]> {
    this.#checkOpen();
    return this.#tasks.orphans(Date.now(), limit);
  }

  async getRecord(namespace: string, key: string): Promise<string | undefined> {
    this.#checkOpen();
    return this.#records.get(namespace, key);
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    this.#checkOpen();
    this.#records.put(namespace, key, value);
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    this.#checkOpen();
    return this.#records.replace(namespace, key, expected, value);
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    this.#checkOpen();
    return this.#records.delete(namespace, key, expected);
  }

  async listRecords(namespace: string, prefix?: string, page?: RecordPage): Promise<RecordEntry[]> {
    this.#checkOpen();
    return this.#records.list(namespace, prefix, page);
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
    deleteTask: async (taskId) => {
      this.#checkOpen();
      if (this.#tasks.endedHeader(taskId) === undefined) return false;
      this.#tasks.delete(taskId);
      this.#events.delete(taskId);
      this.#snapshots.delete(taskId);
      return true;
    },
    trimJournal: async (taskId) => {
      this.#checkOpen();
      const lastSequence = this.#tasks.endedHeader(taskId)?.lastSequence;
      if (lastSequence === undefined || this.#snapshots.get(taskId)?.sequence !== lastSequence) return false;
      this.#tasks.trim(taskId);
      this.#events.set(taskId, (this.#events.get(taskId) ?? []).slice(-1));
      return true;
    },
  };

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  #commit(taskId: string, firstSequence: number, entries: readonly JournalEntry[]): void {
    let events = this.#events.get(taskId);
    if (events === undefined) this.#events.set(taskId, (events = []));
    for (const event of entriesToEvents(entries, firstSequence)) events.push(event);
    const commits = [{ taskId, lastSequence: firstSequence + entries.length - 1 }];
    // The other backends announce after the caller's promise settles; callers must not rely on anything earlier.
    queueMicrotask(() => this.#listeners.announce(commits));
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw storeClosed();
  }
}
