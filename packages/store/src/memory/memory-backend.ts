import { steadyNow } from '@holdword/protocol/internal';
import type { Backend, CommitListeners, StoreReads } from '../backed-store.ts';
import type {
  CommittedEvent,
  CreateTaskResult,
  JournalAppend,
  JournalEntry,
  NewTask,
  Snapshot,
} from '../port.ts';
import { unknownTask } from '../rejections.ts';
import { bytesOf, entriesToEvents } from './task-row.ts';
import { RecordTable } from './record-table.ts';
import { TaskTable } from './task-table.ts';

/**
 * The backend in memory: the reference for the others, for tests and for agents that need not survive a restart. Each call
 * runs synchronously, so it is atomic.
 */
export class MemoryBackend implements Backend {
  readonly kind = 'memory';
  readonly isShared = false;
  readonly #tasks = new TaskTable();
  readonly #records = new RecordTable();
  readonly #events = new Map<string, CommittedEvent[]>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #listeners: CommitListeners;

  readonly #reads: StoreReads = {
    ...this.#tasks.reads,
    readEvents: (taskId, after, limit) => this.#readEvents(taskId, after, limit),
    readStatusEvent: (taskId, sequence) => {
      const found = this.#tasks.statusSequence(taskId, sequence);
      return found === undefined ? undefined : this.#readEvents(taskId, found - 1, 1)[0];
    },
    readSnapshot: (taskId, mostCharacters = Infinity) => {
      const snapshot = this.#snapshots.get(taskId);
      return snapshot && snapshot.json.length <= mostCharacters ? { ...snapshot } : undefined;
    },
    getRecord: (namespace, key) => this.#records.get(namespace, key),
    listRecords: (namespace, prefix, page) => this.#records.list(namespace, prefix, page),
  };

  constructor(listeners: CommitListeners) {
    this.#listeners = listeners;
  }

  async read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result> {
    return query(this.#reads);
  }

  async createTask(task: NewTask): Promise<CreateTaskResult> {
    const existing = this.#tasks.checkCreate(task);
    if (existing !== undefined) return { created: false, existing };
    this.#tasks.create(task, this.#tasks.nextKey());
    this.#commit(task.taskId, 1, task.entries);
    return { created: true, fence: 1 };
  }

  async append(append: JournalAppend): Promise<void> {
    this.#tasks.checkAppend(append);
    this.#tasks.append(append);
    this.#commit(append.taskId, append.firstSequence, append.entries);
  }

  async writeSnapshot(taskId: string, snapshot: Snapshot): Promise<void> {
    if (!this.#tasks.has(taskId)) throw unknownTask(taskId);
    const current = this.#snapshots.get(taskId);
    if (current !== undefined && current.sequence > snapshot.sequence) return;
    this.#snapshots.set(taskId, { ...snapshot });
    this.#tasks.addBytes(taskId, Buffer.byteLength(snapshot.json) - Buffer.byteLength(current?.json ?? ''));
  }

  async heartbeat(holder: string, ttlMilliseconds: number): Promise<void> {
    this.#tasks.heartbeat(holder, steadyNow() + ttlMilliseconds);
  }

  async acquireLease(
    taskId: string,
    holder: string,
    options?: { force?: boolean },
  ): Promise<number | undefined> {
    const fence = this.#tasks.checkAcquire(taskId, holder, options?.force);
    if (fence !== undefined) this.#tasks.setLease(taskId, fence, holder);
    return fence;
  }

  async releaseLease(taskId: string, fence: number): Promise<void> {
    if (this.#tasks.holdsLease(taskId, fence)) this.#tasks.setLease(taskId, fence, undefined);
  }

  async putRecord(namespace: string, key: string, value: string): Promise<void> {
    this.#records.put(namespace, key, value);
  }

  async replaceRecord(
    namespace: string,
    key: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean> {
    return this.#records.replace(namespace, key, expected, value);
  }

  async deleteRecord(namespace: string, key: string, expected?: string): Promise<boolean> {
    return this.#records.delete(namespace, key, expected);
  }

  async deleteTask(taskId: string): Promise<boolean> {
    if (this.#tasks.endedHeader(taskId) === undefined) return false;
    this.#tasks.delete(taskId);
    this.#events.delete(taskId);
    this.#snapshots.delete(taskId);
    return true;
  }

  async trimJournal(taskId: string): Promise<boolean> {
    const lastSequence = this.#tasks.endedHeader(taskId)?.lastSequence;
    const snapshot = this.#snapshots.get(taskId);
    if (lastSequence === undefined || snapshot?.sequence !== lastSequence) return false;
    const kept = (this.#events.get(taskId) ?? []).slice(-1);
    this.#tasks.trim(taskId, bytesOf(kept) + Buffer.byteLength(snapshot.json));
    this.#events.set(taskId, kept);
    return true;
  }

  async close(): Promise<void> {}

  #readEvents(taskId: string, after: number, limit: number): CommittedEvent[] {
    const events = this.#events.get(taskId) ?? [];
    const from = Math.max(0, after + 1 - (events[0]?.sequence ?? 1));
    return events.slice(from, from + limit).map((event) => ({ ...event }));
  }

  #commit(taskId: string, firstSequence: number, entries: readonly JournalEntry[]): void {
    let events = this.#events.get(taskId);
    if (events === undefined) this.#events.set(taskId, (events = []));
    for (const event of entriesToEvents(entries, firstSequence)) events.push(event);
    const commits = [{ taskId, lastSequence: firstSequence + entries.length - 1 }];
    // The other backends announce after the caller's promise settles; callers must not rely on anything earlier.
    queueMicrotask(() => this.#listeners.announce(commits));
  }
}
