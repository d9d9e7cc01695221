import { steadyNow } from '@holdword/protocol/internal';
import type { StoreReads } from '../backed-store.ts';
import type { HolderState, IdempotencyEntry, JournalAppend, NewTask, TaskHeader } from '../port.ts';
import { taskExists, unknownTask } from '../rejections.ts';
import { upperBound } from './sorted-list.ts';
import { TaskLists } from './task-lists.ts';
import {
  appendToRow,
  bytesOf,
  checkAppend,
  hasEnded,
  newTaskRow,
  type OwnedKey,
  type TaskRow,
} from './task-row.ts';

/**
 * All tasks with their leases and idempotency keys, in memory. Responsible for the invariants (J2, J3, J8). Leaves
 * lists to TaskLists, events and durability to the backend that uses it. Each change has two steps, so that a store can write to disk in
 * between: a check that throws a StoreError, and a change that cannot fail.
 */
export class TaskTable {
  readonly #rows = new Map<string, TaskRow>();
  readonly #lists = new TaskLists();
  readonly #idempotency = new Map<string, IdempotencyEntry>();
  readonly #holders = new Map<string, number>();
  #lastKey = 0;

  /** The reads that need no events. */
  readonly reads = {
    readTask: (taskId) => this.header(taskId),
    findIdempotencyKey: (owner, key) => this.findIdempotencyKey(owner, key),
    isAlive: (holder) => this.#isAlive(holder),
    listHolders: () => this.#listHolders(),
    readHolder: (taskId) => this.#rows.get(taskId)?.holder,
    listTasks: (query) => this.#lists.listTasks(query),
    listAllTasks: (query) => this.#lists.listAllTasks(query),
    readUsage: (owner) => this.#lists.usageOf(owner),
    listEnded: (query) => this.#lists.listEnded(query),
    listExcess: (query) => this.#lists.listExcess(query),
    listOrphans: (limit) => this.#lists.listRunning((row) => !this.#isHeld(row), limit),
  } satisfies Partial<StoreReads>;

  // Tasks

  /** Returns the existing entry if the task's idempotency key is taken. */
  checkCreate(task: NewTask): IdempotencyEntry | undefined {
    const existing = task.idempotency && this.findIdempotencyKey(task.owner, task.idempotency.key);
    if (existing === undefined && this.#rows.has(task.taskId)) throw taskExists(task.taskId);
    return existing;
  }

  nextKey(): number {
    this.#lastKey += 1;
    return this.#lastKey;
  }

  create(task: NewTask, key: number): void {
    this.add(newTaskRow(task, key));
    if (task.idempotency !== undefined) this.takeIdempotencyKey(task.taskId, task.owner, task.idempotency);
  }

  /** Adds an existing row. */
  add(row: TaskRow): void {
    this.#rows.set(row.header.taskId, row);
    this.#lists.add(row);
    this.#lists.addBytes(row.header.owner, row.bytes);
    this.#lastKey = Math.max(this.#lastKey, row.key);
  }

  checkAppend(append: JournalAppend): void {
    checkAppend(this.#rows.get(append.taskId), append);
  }

  append(append: JournalAppend): void {
    const row = this.#existing(append.taskId);
    // Without a new status only an ended task changes its lists: it no longer counts as trimmed.
    if (append.status === undefined && !hasEnded(row)) appendToRow(row, append);
    else this.#lists.change(row, () => appendToRow(row, append));
    this.#lists.addBytes(row.header.owner, bytesOf(append.entries));
    const { idempotency } = append;
    if (idempotency !== undefined) this.takeIdempotencyKey(append.taskId, idempotency.owner, idempotency);
  }

  /** The snapshot of a task has grown or shrunk. */
  addBytes(taskId: string, bytes: number): void {
    const row = this.#rows.get(taskId);
    if (row === undefined) return;
    row.bytes += bytes;
    this.#lists.addBytes(row.header.owner, bytes);
  }

  has(taskId: string): boolean {
    return this.#rows.has(taskId);
  }

  header(taskId: string): TaskHeader | undefined {
    const row = this.#rows.get(taskId);
    return row && { ...row.header };
  }

  /** The newest event at or before `sequence` that changes the status. */
  statusSequence(taskId: string, sequence: number): number | undefined {
    const sequences = this.#rows.get(taskId)?.statusSequences ?? [];
    return sequences[upperBound(sequences, (candidate) => candidate > sequence) - 1];
  }

  // Retention

  /** The header of a task that has ended. */
  endedHeader(taskId: string): TaskHeader | undefined {
    const row = this.#rows.get(taskId);
    return row !== undefined && hasEnded(row) ? row.header : undefined;
  }

  keyOf(taskId: string): number {
    return this.#existing(taskId).key;
  }

  idempotencyKeysOf(taskId: string): readonly OwnedKey[] {
    return this.#existing(taskId).idempotencyKeys;
  }

  delete(taskId: string): void {
    const row = this.#existing(taskId);
    this.#lists.addBytes(row.header.owner, -row.bytes);
    this.#lists.remove(row);
    this.#rows.delete(taskId);
    for (const { owner, key } of row.idempotencyKeys) this.#idempotency.delete(idempotencyId(owner, key));
  }

  /** Trims the journal to its last event. `keptBytes` is the size of that event and of the snapshot. */
  trim(taskId: string, keptBytes: number): void {
    const row = this.#existing(taskId);
    this.addBytes(taskId, keptBytes - row.bytes);
    const { header, statusSequences } = row;
    this.#lists.change(row, () => {
      header.firstSequence = header.lastSequence;
      const kept = statusSequences.filter((sequence) => sequence >= header.firstSequence);
      statusSequences.splice(0, statusSequences.length, ...kept);
    });
  }

  // Idempotency keys

  findIdempotencyKey(owner: string, key: string): IdempotencyEntry | undefined {
    const entry = this.#idempotency.get(idempotencyId(owner, key));
    return entry && { ...entry };
  }

  /** A key stays with the task that took it first. */
  takeIdempotencyKey(taskId: string, owner: string, { key, payloadHash }: Omit<OwnedKey, 'owner'>): void {
    const id = idempotencyId(owner, key);
    if (this.#idempotency.has(id)) return;
    this.#idempotency.set(id, { taskId, payloadHash });
    this.#existing(taskId).idempotencyKeys.push({ owner, key, payloadHash });
  }

  // Leases

  heartbeat(holder: string, expiresAt: number): void {
    this.#holders.set(holder, expiresAt);
  }

  #isAlive(holder: string): boolean {
    return (this.#holders.get(holder) ?? 0) > steadyNow();
  }

  #listHolders(): HolderState[] {
    const now = steadyNow();
    return [...this.#holders]
      .map(([holder, expiresAt]) => ({ holder, aliveMilliseconds: expiresAt - now }))
      .toSorted((one, other) => other.aliveMilliseconds - one.aliveMilliseconds);
  }

  /** Returns the fence that the holder would get, or nothing while another living process holds the task. */
  checkAcquire(taskId: string, holder: string, force = false): number | undefined {
    const row = this.#existing(taskId);
    if (!force && row.holder !== holder && this.#isHeld(row)) return undefined;
    return row.header.fence + 1;
  }

  setLease(taskId: string, fence: number, holder: string | undefined): void {
    const row = this.#existing(taskId);
    row.header.fence = fence;
    row.holder = holder;
  }

  holdsLease(taskId: string, fence: number): boolean {
    const row = this.#rows.get(taskId);
    return row !== undefined && row.holder !== undefined && row.header.fence === fence;
  }

  #isHeld(row: TaskRow): boolean {
    return row.holder !== undefined && this.#isAlive(row.holder);
  }

  #existing(taskId: string): TaskRow {
    const row = this.#rows.get(taskId);
    if (row === undefined) throw unknownTask(taskId);
    return row;
  }
}

function idempotencyId(owner: string, key: string): string {
  return JSON.stringify([owner, key]);
}
