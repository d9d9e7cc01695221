import type { TaskState } from '@holdword/protocol';
import { LAST_CODE_POINT, MOST_READ, toAllTasksPage, toCuttablePage, toPage } from '../pages.ts';
import type {
  AllTasksPage,
  AllTasksQuery,
  EndedPage,
  EndedQuery,
  ExcessCursor,
  ExcessQuery,
  OwnerUsage,
  PageCursor,
  TaskHeader,
  TaskHeaderPage,
  TaskQuery,
} from '../port.ts';
import { compareText, SortedList } from './sorted-list.ts';
import { hasEnded, isRunning, type TaskRow } from './task-row.ts';

/**
 * The tasks in the orders of all lists. A page costs its length, not the number of tasks. Rows change only inside `change`.
 */
export class TaskLists {
  readonly #owners = new Map<string, OwnerTasks>();
  readonly #sortedOwners = new SortedList<OwnerTasks>((one, other) => compareText(one.owner, other.owner));
  readonly #ended = byStatusTime();
  readonly #untrimmed = byStatusTime();
  readonly #running = new SortedList<TaskRow>((one, other) => one.key - other.key);
  readonly #byId = new SortedList<TaskRow>((one, other) =>
    compareText(one.header.taskId, other.header.taskId),
  );

  add(row: TaskRow): void {
    this.#byId.add(row);
    this.#putIn(row);
  }

  #putIn(row: TaskRow): void {
    const { owner } = row.header;
    let tasks = this.#owners.get(owner);
    if (tasks === undefined) {
      this.#owners.set(owner, (tasks = new OwnerTasks(owner)));
      this.#sortedOwners.add(tasks);
    }
    for (const list of this.#listsOf(row, tasks)) list.add(row);
  }

  /** A row is in no list while it changes. */
  change(row: TaskRow, change: () => void): void {
    this.#takeOut(row);
    change();
    this.#putIn(row);
  }

  remove(row: TaskRow): void {
    this.#byId.remove(row);
    const tasks = this.#takeOut(row);
    tasks?.forgetEmptyContext(row.header.contextId);
    if (tasks === undefined || tasks.all.length > 0) return;
    this.#owners.delete(tasks.owner);
    this.#sortedOwners.remove(tasks);
  }

  usageOf(owner: string): OwnerUsage {
    const tasks = this.#owners.get(owner);
    return { tasks: tasks?.all.length ?? 0, bytes: tasks?.bytes ?? 0 };
  }

  /** Counts what the tasks of an owner have grown by. */
  addBytes(owner: string, bytes: number): void {
    const tasks = this.#owners.get(owner);
    if (tasks !== undefined) tasks.bytes += bytes;
  }

  listTasks(query: TaskQuery): TaskHeaderPage {
    const { owner, contextId, state, statusTimeFrom, cursor, limit } = query;
    const list = this.#owners.get(owner)?.matching(query);
    if (list === undefined) return { tasks: [], cursors: [], totalSize: 0 };
    const oldest =
      statusTimeFrom === undefined ? 0 : list.indexWhere((row) => row.header.statusTime >= statusTimeFrom);
    const end =
      cursor === undefined ? list.length : list.indexWhere((row) => compareToCursor(row, cursor) >= 0);
    if (contextId === undefined || state === undefined) {
      const rows = list.slice(Math.max(oldest, end - limit - 1), end).toReversed();
      return { ...toCuttablePage(rows, limit, toHeader, toCursor), totalSize: list.length - oldest };
    }
    // No list has both filters: all tasks of the context are read.
    const isInState = (row: TaskRow) => row.header.state === state;
    const rows = list.slice(oldest, end).filter(isInState).toReversed();
    const totalSize = list.slice(oldest, list.length).filter(isInState).length;
    return { ...toCuttablePage(rows, limit, toHeader, toCursor), totalSize };
  }

  listAllTasks(query: AllTasksQuery): AllTasksPage {
    const { state, from = '', before = LAST_CODE_POINT, limit } = query;
    const end = this.#byId.indexWhere(({ header }) => compareText(header.taskId, before) >= 0);
    const found: TaskHeader[] = [];
    let read = 0;
    for (const row of this.#byId.before(end)) {
      if (compareText(row.header.taskId, from) < 0) break;
      if (state === undefined || row.header.state === state) found.push(toHeader(row));
      if (found.length > limit) break;
      read += 1;
      if (read === MOST_READ) return toAllTasksPage(found, limit, row.header.taskId);
    }
    return toAllTasksPage(found, limit);
  }

  listEnded({ until, untrimmed = false, cursor, limit }: EndedQuery): EndedPage<PageCursor> {
    const list = untrimmed ? this.#untrimmed : this.#ended;
    const from = cursor === undefined ? 0 : indexAfter(list, cursor);
    const end = list.indexWhere((row) => row.header.statusTime > until);
    return toPage(list.slice(from, Math.min(end, from + limit + 1)), limit, toHeader, toCursor);
  }

  listExcess({ keep, cursor, limit }: ExcessQuery): EndedPage<ExcessCursor> {
    const wanted = limit + 1;
    const rows: TaskRow[] = [];
    const first =
      cursor === undefined
        ? 0
        : this.#sortedOwners.indexWhere(({ owner }) => compareText(owner, cursor.owner) >= 0);
    for (const { owner, ended } of this.#sortedOwners.from(first)) {
      const from = cursor?.owner === owner ? indexAfter(ended, cursor) : 0;
      const end = Math.min(ended.length - keep, from + wanted - rows.length);
      if (end > from) rows.push(...ended.slice(from, end));
      if (rows.length === wanted) break;
    }
    return toPage(rows, limit, toHeader, (row) => ({ owner: row.header.owner, ...toCursor(row) }));
  }

  /** The running tasks that match, in the order of their creation. */
  listRunning(matches: (row: TaskRow) => boolean, limit: number): TaskHeader[] {
    const found: TaskHeader[] = [];
    for (const row of this.#running.from(0)) {
      if (found.length >= limit) break;
      if (matches(row)) found.push(toHeader(row));
    }
    return found;
  }

  #takeOut(row: TaskRow): OwnerTasks | undefined {
    const tasks = this.#owners.get(row.header.owner);
    if (tasks !== undefined) for (const list of this.#listsOf(row, tasks)) list.remove(row);
    return tasks;
  }

  #listsOf(row: TaskRow, tasks: OwnerTasks): SortedList<TaskRow>[] {
    const lists = tasks.listsOf(row);
    if (isRunning(row)) lists.push(this.#running);
    if (hasEnded(row)) lists.push(this.#ended);
    if (hasEnded(row) && !isTrimmed(row)) lists.push(this.#untrimmed);
    return lists;
  }
}

/** The tasks of one owner. */
class OwnerTasks {
  readonly owner: string;
  bytes = 0;
  readonly all = byStatusTime();
  readonly ended = byStatusTime();
  readonly #contexts = new Map<string, SortedList<TaskRow>>();
  readonly #states = new Map<TaskState, SortedList<TaskRow>>();

  constructor(owner: string) {
    this.owner = owner;
  }

  /** The shortest list that contains all tasks of a query. */
  matching({ contextId, state }: TaskQuery): SortedList<TaskRow> | undefined {
    if (contextId !== undefined) return this.#contexts.get(contextId);
    return state === undefined ? this.all : this.#states.get(state);
  }

  listsOf(row: TaskRow): SortedList<TaskRow>[] {
    const { contextId, state } = row.header;
    const lists = [this.all, listIn(this.#contexts, contextId), listIn(this.#states, state)];
    return hasEnded(row) ? [...lists, this.ended] : lists;
  }

  forgetEmptyContext(contextId: string): void {
    if (this.#contexts.get(contextId)?.length === 0) this.#contexts.delete(contextId);
  }
}

function listIn<Key>(lists: Map<Key, SortedList<TaskRow>>, key: Key): SortedList<TaskRow> {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = byStatusTime()));
  return list;
}

function byStatusTime(): SortedList<TaskRow> {
  return new SortedList(compareStatusTimes);
}

/** Negative if the status of the first task is older. */
function compareStatusTimes(one: TaskRow, other: TaskRow): number {
  return one.header.statusTime - other.header.statusTime || one.key - other.key;
}

function indexAfter(list: SortedList<TaskRow>, cursor: PageCursor): number {
  return list.indexWhere((row) => compareToCursor(row, cursor) > 0);
}

/** Negative if the row comes before the cursor. */
function compareToCursor(row: TaskRow, { statusTime, tieBreak }: PageCursor): number {
  return row.header.statusTime - statusTime || row.key - tieBreak;
}

function toCursor(row: TaskRow): PageCursor {
  return { statusTime: row.header.statusTime, tieBreak: row.key };
}

function toHeader({ header }: TaskRow): TaskHeader {
  return { ...header };
}

function isTrimmed({ header }: TaskRow): boolean {
  return header.firstSequence === header.lastSequence;
}
