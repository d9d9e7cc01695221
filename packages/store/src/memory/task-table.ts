import { isTerminal } from '@holdword/protocol';
import type { StoreReads } from '../backed-store.ts';
import { toPage } from '../pages.ts';
import { taskExists, unknownTask } from '../rejections.ts';
import type {
  EndedPage,
  EndedQuery,
  ExcessCursor,
  ExcessQuery,
  IdempotencyEntry,
  JournalAppend,
  NewTask,
  PageCursor,
  TaskHeader,
  TaskHeaderPage,
  TaskQuery,
} from '../port.ts';
import { comparePositions, positionOf, TaskOrder } from './task-order.ts';
import { appendToRow, checkAppend, newTaskRow, type TaskRow } from './task-row.ts';
import { upperBound } from './upper-bound.ts';

/**
 * All tasks with their leases and idempotency keys, in memory. Responsible for the invariants (J2, J3, J8) and for lists.
 * Leaves events and durability to the store that uses it. Each change has two steps, so that a store can write to disk in
 * between: a check that throws a StoreError, and a change that cannot fail.
 */
export class TaskTable {
  readonly #rows = new Map<string, TaskRow>();
  readonly #orders = new Map<string, TaskOrder>();
  readonly #idempotency = new Map<string, IdempotencyEntry>();
  readonly #holders = new Map<string, number>();
  #lastKey = 0;

  /** The reads that need no events. */
  readonly reads = {
    readTask: (taskId) => this.header(taskId),
    listTasks: (query) => this.#list(query),
    findIdempotencyKey: (owner, key) => this.findIdempotencyKey(owner, key),
    isAlive: (holder) => this.#isAlive(holder),
    listOrphans: (limit) => this.#orphans(limit),
    listEnded: (query) => this.#ended(query),
    listExcess: (query) => this.#excess(query),
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
    this.#orderOf(row.header.owner).add(row);
    this.#lastKey = Math.max(this.#lastKey, row.key);
  }

  checkAppend(append: JournalAppend): void {
    checkAppend(this.#rows.get(append.taskId), append);
  }

  append(append: JournalAppend): void {
    const row = this.#existing(append.taskId);
    const order = this.#orderOf(row.header.owner);
    const moves = append.status !== undefined;
    if (moves) order.remove(row);
    appendToRow(row, append);
    if (moves) order.add(row);
    const { idempotency } = append;
    if (idempotency !== undefined) this.takeIdempotencyKey(append.taskId, idempotency.owner, idempotency);
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

  #list(query: TaskQuery): TaskHeaderPage {
    const order = this.#orders.get(query.owner) ?? new TaskOrder();
    const matches = (row: TaskRow) => matchesQuery(row, query);
    const rows: TaskRow[] = [];
    for (const row of order.below(query.cursor)) {
      if (rows.length > query.limit) break;
      if (matches(row)) rows.push(row);
    }
    return { ...toPage(rows, query.limit, headerOf, positionOf), totalSize: order.count(matches) };
  }

  // Retention

  #ended({ until, untrimmed = false, cursor, limit }: EndedQuery): EndedPage<PageCursor> {
    const rows = [...this.#rows.values()]
      .filter((row) => hasEnded(row) && row.header.statusTime <= until && !(untrimmed && isTrimmed(row)))
      .filter((row) => cursor === undefined || comparePositions(positionOf(row), cursor) > 0)
      .toSorted((one, other) => comparePositions(positionOf(one), positionOf(other)));
    return toPage(rows, limit, headerOf, positionOf);
  }

  #excess({ keep, cursor, limit }: ExcessQuery): EndedPage<ExcessCursor> {
    const rows = [...this.#orders]
      .filter(([owner]) => cursor === undefined || owner >= cursor.owner)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([owner, order]) => {
        const oldest = [...order.below(undefined)].filter(hasEnded).slice(keep).toReversed();
        if (owner !== cursor?.owner) return oldest;
        return oldest.filter((row) => comparePositions(positionOf(row), cursor) > 0);
      });
    return toPage(rows, limit, headerOf, (row) => ({ owner: row.header.owner, ...positionOf(row) }));
  }

  /** The header of a task that has ended. */
  endedHeader(taskId: string): TaskHeader | undefined {
    const row = this.#rows.get(taskId);
    return row !== undefined && hasEnded(row) ? row.header : undefined;
  }

  keyOf(taskId: string): number {
    return this.#existing(taskId).key;
  }

  idempotencyKeysOf(taskId: string): { owner: string; key: string; payloadHash: string }[] {
    return [...this.#idempotency]
      .filter(([, entry]) => entry.taskId === taskId)
      .map(([id, { payloadHash }]) => {
        const [owner, key] = JSON.parse(id) as [string, string];
        return { owner, key, payloadHash };
      });
  }

  delete(taskId: string): void {
    const row = this.#existing(taskId);
    this.#orderOf(row.header.owner).remove(row);
    this.#rows.delete(taskId);
    for (const [id, entry] of this.#idempotency) if (entry.taskId === taskId) this.#idempotency.delete(id);
  }

  /** Trims the journal to its last event. */
  trim(taskId: string): void {
    const { header, statusSequences } = this.#existing(taskId);
    header.firstSequence = header.lastSequence;
    const kept = statusSequences.filter((sequence) => sequence >= header.firstSequence);
    statusSequences.splice(0, statusSequences.length, ...kept);
  }

  // Idempotency keys

  findIdempotencyKey(owner: string, key: string): IdempotencyEntry | undefined {
    const entry = this.#idempotency.get(idempotencyId(owner, key));
    return entry && { ...entry };
  }

  /** A key stays with the task that took it first. */
  takeIdempotencyKey(taskId: string, owner: string, idempotency: { key: string; payloadHash: string }): void {
    const id = idempotencyId(owner, idempotency.key);
    if (this.#idempotency.has(id)) return;
    this.#idempotency.set(id, { taskId, payloadHash: idempotency.payloadHash });
  }

  // Leases

  heartbeat(holder: string, expiresAt: number): void {
    this.#holders.set(holder, expiresAt);
  }

  #isAlive(holder: string): boolean {
    return (this.#holders.get(holder) ?? 0) > Date.now();
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

  #orphans(limit: number): TaskHeader[] {
    return [...this.#rows.values()]
      .filter((row) => isRunning(row) && !this.#isHeld(row))
      .toSorted((one, other) => one.key - other.key)
      .slice(0, limit)
      .map((row) => ({ ...row.header }));
  }

  #isHeld(row: TaskRow): boolean {
    return row.holder !== undefined && this.#isAlive(row.holder);
  }

  #existing(taskId: string): TaskRow {
    const row = this.#rows.get(taskId);
    if (row === undefined) throw unknownTask(taskId);
    return row;
  }

  #orderOf(owner: string): TaskOrder {
    let order = this.#orders.get(owner);
    if (order === undefined) this.#orders.set(owner, (order = new TaskOrder()));
    return order;
  }
}

function isRunning(row: TaskRow): boolean {
  return row.header.state === 'TASK_STATE_SUBMITTED' || row.header.state === 'TASK_STATE_WORKING';
}

function hasEnded({ header }: TaskRow): boolean {
  return isTerminal(header.state);
}

function isTrimmed({ header }: TaskRow): boolean {
  return header.firstSequence === header.lastSequence;
}

function headerOf({ header }: TaskRow): TaskHeader {
  return { ...header };
}

function matchesQuery({ header }: TaskRow, query: TaskQuery): boolean {
  return (
    (query.contextId === undefined || header.contextId === query.contextId) &&
    (query.state === undefined || header.state === query.state) &&
    (query.statusTimeFrom === undefined || header.statusTime >= query.statusTimeFrom)
  );
}

function idempotencyId(owner: string, key: string): string {
  return JSON.stringify([owner, key]);
}
