import { ownerOfAgent } from '@holdword/hub/internal';
import { A2AError, type StreamResponse, type Task, type TaskState } from '@holdword/protocol';
import { ownerKey } from '@holdword/runtime/internal';
import type { AllTasksPage, PageCursor, Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import type { TaskFilter, TaskPage } from '../api/tasks.ts';
import type { Viewer } from './sessions.ts';
import { toTaskRow } from './task-rows.ts';

/** A search reads the first event of this many tasks for a page at most. */
const MOST_SEARCHED = 300;
/** Statuses may be long, and nothing else runs while a page is read. */
const ENOUGH_CHARACTERS = 1024 * 1024;

/** Which tasks a viewer wants to see, and may. */
export interface TaskScope {
  /** Undefined for the tasks of all owners. */
  readonly owner: string | undefined;
  readonly filter: TaskFilter;
}

/** What a viewer asks for, without what it may not see (J9). Undefined if nothing is left. */
export function scopeOf(viewer: Viewer, filter: TaskFilter): TaskScope | undefined {
  const ofAgent = filter.agent === undefined ? undefined : ownerKey(ownerOfAgent(filter.agent));
  const asked = filter.owner ?? ofAgent;
  if (filter.owner !== undefined && ofAgent !== undefined && filter.owner !== ofAgent) return undefined;
  if (viewer.isOperator) return { owner: asked, filter };
  return asked === undefined || asked === viewer.ownerKey ? { owner: viewer.ownerKey, filter } : undefined;
}

/** Whether a task is in the scope, apart from the text, which its header does not have. */
export function isInScope({ owner, filter }: TaskScope, header: TaskHeader): boolean {
  const { state, context, from, to } = filter;
  return (
    (owner === undefined || header.owner === owner) &&
    (state === undefined || state.length === 0 || state.includes(header.state)) &&
    (context === undefined || header.contextId === context) &&
    (from === undefined || header.createdAt >= Date.parse(from)) &&
    (to === undefined || header.createdAt <= Date.parse(to))
  );
}

/** The tasks of a scope, page by page, the newest first. A page reads a bounded number of tasks, by index. */
export class TaskList {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async page(scope: TaskScope, cursor: string | undefined, limit: number): Promise<TaskPage> {
    const { text } = scope.filter;
    const wanted = text === undefined ? limit : MOST_SEARCHED;
    const found =
      scope.owner === undefined
        ? await this.#readAll(scope, cursor, wanted)
        : await this.#readOwned({ ...scope, owner: scope.owner }, cursor, wanted);
    const sortedBy = scope.owner === undefined ? 'createdAt' : 'statusAt';
    const { tasks, next } = text === undefined ? cut(found, limit) : await this.#search(found, text, limit);
    const last = found.entries.at(-1)?.header;
    return {
      tasks: tasks.map(({ header }) => toTaskRow(header)),
      sortedBy,
      nextCursor: next ?? null,
      total: text === undefined ? found.total : null,
      searchedUntil: text === undefined || last === undefined ? null : new Date(last.createdAt).toISOString(),
    };
  }

  /** Whether the metadata of a task, of its first message, or its id contains a text. Reads one event. */
  async contains({ taskId, firstSequence }: TaskHeader, text: string): Promise<boolean> {
    const needle = text.toLowerCase();
    if (taskId.toLowerCase().includes(needle)) return true;
    const [first] = await this.#store.readEvents(taskId, 0, 1);
    const json = firstSequence === 1 ? first?.json : (await this.#store.readSnapshot(taskId))?.json;
    if (json === undefined || !json.includes('"metadata"')) return false;
    const parsed = JSON.parse(json) as StreamResponse | Task;
    const task = 'task' in parsed ? parsed.task : (parsed as Task);
    const metadata = [task.metadata, task.history?.[0]?.metadata];
    return JSON.stringify(metadata).toLowerCase().includes(needle);
  }

  async #search(
    found: Found,
    text: string,
    limit: number,
  ): Promise<{ tasks: Entry[]; next: string | undefined }> {
    const tasks: Entry[] = [];
    for (const entry of found.entries) {
      if (!(await this.contains(entry.header, text))) continue;
      tasks.push(entry);
      if (tasks.length === limit)
        return { tasks, next: entry === found.entries.at(-1) ? found.next : entry.position };
    }
    return { tasks, next: found.next };
  }

  /** The tasks of all owners, by id. Each state has its own list, and those that were asked for are merged. */
  async #readAll(scope: TaskScope, cursor: string | undefined, limit: number): Promise<Found> {
    const { state, context, from, to } = scope.filter;
    if (context !== undefined) return this.#readContext(scope, cursor, limit);
    const states: readonly (TaskState | undefined)[] =
      state === undefined || state.length === 0 ? [undefined] : state;
    const range = {
      ...idsFrom(from),
      ...idsBefore(to, cursor === undefined ? undefined : readIdCursor(cursor)),
    };
    const pages = await Promise.all(
      states.map((each) => this.#store.listAllTasks({ ...range, ...(each && { state: each }), limit })),
    );
    return { ...merge(pages), total: null };
  }

  /**
   * A context without an owner: all tasks of it are near each other in time, so the newest tasks are read until it is found, a
   * bounded number for each page.
   */
  async #readContext(scope: TaskScope, cursor: string | undefined, limit: number): Promise<Found> {
    const { from, to } = scope.filter;
    const range = {
      ...idsFrom(from),
      ...idsBefore(to, cursor === undefined ? undefined : readIdCursor(cursor)),
    };
    const page = await this.#store.listAllTasks({ ...range, limit: Math.max(limit, MOST_SCANNED) });
    const merged = merge([page]);
    const entries = merged.entries.filter(({ header }) => isInScope(scope, header));
    return { entries, next: merged.next, total: null };
  }

  /** The tasks of one owner, by status. Filters that the store has no index for are applied to what it lists. */
  async #readOwned(
    scope: TaskScope & { owner: string },
    cursor: string | undefined,
    limit: number,
  ): Promise<Found> {
    const { state = [], context, from, to } = scope.filter;
    const [onlyState] = state;
    const isListed = state.length <= 1 && to === undefined && from === undefined;
    const page = await this.#store.listTasks({
      owner: scope.owner,
      limit: isListed ? limit : Math.max(limit, MOST_SCANNED),
      enoughCharacters: ENOUGH_CHARACTERS,
      ...(context !== undefined && { contextId: context }),
      ...(state.length === 1 && onlyState !== undefined && { state: onlyState }),
      // A task changes its status after it was created.
      ...(from !== undefined && { statusTimeFrom: Date.parse(from) }),
      ...(cursor !== undefined && { cursor: readStatusCursor(cursor) }),
    });
    const entries = page.tasks
      .map((header, index) => ({ header, position: encodeCursor(page.cursors[index]) }))
      .filter(({ header }) => isInScope(scope, header));
    const next = page.nextCursor && encodeCursor(page.nextCursor);
    return { entries, next, total: isListed ? page.totalSize : null };
  }
}

/** Tasks that are read for a page if a filter has no index. */
const MOST_SCANNED = 1_000;

interface Entry {
  readonly header: TaskHeader;
  /** The cursor of a page that begins after it. */
  readonly position: string;
}

interface Found {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
  readonly total: number | null;
}

function cut({ entries, next }: Found, limit: number): { tasks: readonly Entry[]; next: string | undefined } {
  const tasks = entries.slice(0, limit);
  return { tasks, next: entries.length > limit ? tasks.at(-1)?.position : next };
}

/** Pages of several lists as one. Below the point where a list was cut, its tasks are not known yet. */
function merge(pages: readonly AllTasksPage[]): Pick<Found, 'entries' | 'next'> {
  const ends = pages.flatMap(({ nextCursor }) => nextCursor ?? []).toSorted();
  const end = ends.at(-1);
  const entries = pages
    .flatMap(({ tasks }) => tasks)
    .filter(({ taskId }) => end === undefined || taskId >= end)
    .toSorted((one, other) => (one.taskId < other.taskId ? 1 : -1))
    .map((header) => ({ header, position: encodeCursor(header.taskId) }));
  return { entries, next: end && encodeCursor(end) };
}

const TIME_DIGITS = 12;

/** The least id of a task that was created at this time: new ids begin with their time in milliseconds. */
function idAt(milliseconds: number): string {
  const time = Math.max(0, milliseconds).toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

function idsFrom(from: string | undefined): { from?: string } {
  return from === undefined ? {} : { from: idAt(Date.parse(from)) };
}

function idsBefore(to: string | undefined, cursor: string | undefined): { before?: string } {
  const end = to === undefined ? undefined : idAt(Date.parse(to) + 1);
  const before = end !== undefined && cursor !== undefined && end < cursor ? end : (cursor ?? end);
  return before === undefined ? {} : { before };
}

const statusCursorSchema = z.strictObject({ statusTime: z.int(), tieBreak: z.int() });

function encodeCursor(cursor: PageCursor | string | undefined): string {
  return Buffer.from(JSON.stringify(cursor ?? null)).toString('base64url');
}

function readStatusCursor(cursor: string): PageCursor {
  const read = statusCursorSchema.safeParse(decodeCursor(cursor));
  if (!read.success) throw unknownCursor();
  return read.data;
}

function readIdCursor(cursor: string): string {
  const id = decodeCursor(cursor);
  if (typeof id !== 'string' || id === '') throw unknownCursor();
  return id;
}

function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function unknownCursor(): A2AError {
  return new A2AError(
    'INVALID_PARAMS',
    'The cursor does not belong to this list. Read it from its first page.',
  );
}
