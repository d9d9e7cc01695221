import {
  A2AError,
  type ListTasksRequest,
  type ListTasksResponse,
  type Task,
  type V03Task,
} from '@holdword/protocol';
import { coreTaskToV03, isObject, taskSchema, v03TaskToCore } from '@holdword/protocol/internal';
import type {
  SdkListTasksRequest,
  SdkListTasksResponse,
  SdkTask,
  SdkTaskStore,
  ServerCallContext,
} from '@holdword/protocol/internal/sdk';
import type { AnyTask } from '../llm/for-llm.ts';
import type { NoteStore, TaskStore } from './task-store.ts';

/**
 * The base of the task stores in this package. It is both a task store for sessions and a `TaskStore` of the official SDK:
 * calls with a server context take and return the SDK's objects, and see only the tasks of its tenant and user.
 *
 * Responsible for the format of a saved task. Leaves storage to the table.
 *
 * @example
 * ```ts
 * const taskStore: TaskTableStore = new JSONTaskStore('./tasks');
 * const task = await taskStore.load('task-123');
 * ```
 */
export class TaskTableStore implements TaskStore, SdkTaskStore {
  /** What a session remembers besides tasks. */
  readonly notes: NoteStore;
  readonly #table: TaskTable;

  /** @internal */
  constructor(table: TaskTable) {
    this.#table = table;
    this.notes = {
      read: (key) => table.read(NOTES, key),
      write: (key, note) => table.write(NOTES, key, note),
      remove: (key) => table.remove(NOTES, key),
      list: () => table.list(NOTES),
    };
  }

  /** Saves a task of A2A 0.3, as sessions return it, of A2A 1.0 or of the SDK. */
  async save(task: AnyTask | SdkTask, context?: ServerCallContext): Promise<void> {
    const saved = isSdkTask(task) ? (await loadSdk()).fromSdkTask(task) : task;
    await this.#table.write(scopeOf(context), saved.id, JSON.stringify(saved));
  }

  /**
   * Returns a task of A2A 0.3, or the SDK's object if a context is given; undefined if it is not stored.
   *
   * @throws Error if the saved task is invalid.
   */
  load(taskId: string): Promise<V03Task | undefined>;
  load(taskId: string, context: ServerCallContext): Promise<SdkTask | undefined>;
  async load(taskId: string, context?: ServerCallContext): Promise<V03Task | SdkTask | undefined> {
    const json = await this.#table.read(scopeOf(context), taskId);
    const saved = json === undefined ? undefined : parseTask(json, taskId);
    // A case-insensitive file system may have found the task of another id.
    if (saved?.task.id !== taskId) return undefined;
    if (context !== undefined) return (await loadSdk()).toSdkTask(saved.task);
    return saved.original ?? coreTaskToV03(saved.task, 'plain');
  }

  /** Deletes a task, if it is stored. */
  async delete(taskId: string, context?: ServerCallContext): Promise<void> {
    await this.#table.remove(scopeOf(context), taskId);
  }

  /** Lists one page of the tasks of the context's tenant and user. */
  async list(request: SdkListTasksRequest, context: ServerCallContext): Promise<SdkListTasksResponse> {
    const { decodeSdkRequest, toSdkListTasksResponse } = await loadSdk();
    const call = decodeSdkRequest('listTasks', request);
    const kept = await this.#table.list(scopeOf(context));
    return toSdkListTasksResponse(
      listSavedTasks(
        kept.map((json) => parseTask(json, '').task),
        call.request,
      ),
    );
  }
}

/** States in the SDK are numbers. */
function isSdkTask(task: AnyTask | SdkTask): task is SdkTask {
  return typeof task.status?.state !== 'string';
}

function scopeOf(context: ServerCallContext | undefined): string {
  const tenant = context?.tenant ?? '';
  const user = context?.user?.userName ?? '';
  return tenant === '' && user === '' ? NO_SCOPE : JSON.stringify([tenant, user]);
}

/**
 * The backend of a task store: strings by scope and id. Responsible for accepting any id and scope without collisions.
 * Leaves the meaning of the strings to the store.
 */
export interface TaskTable {
  read(scope: string, taskId: string): Promise<string | undefined>;
  /** Resolves when the string is stored as durably as the backend can. */
  write(scope: string, taskId: string, json: string): Promise<void>;
  remove(scope: string, taskId: string): Promise<void>;
  list(scope: string): Promise<string[]>;
}

/** The scope of tasks without a tenant or user. */
const NO_SCOPE = '';

/** The scope of notes. Those of tenants and users are JSON arrays. */
const NOTES = 'notes';

interface SavedTask {
  readonly task: Task;
  /** The task as it was saved, if it is of A2A 0.3. */
  readonly original: V03Task | undefined;
}

/** Parses a saved task of A2A 1.0 or 0.3. Throws if it is invalid. */
function parseTask(json: string, taskId: string): SavedTask {
  const value = parseJson(json);
  const isLegacy = isObject(value) && value['kind'] === 'task';
  const task = taskSchema.safeParse(isLegacy ? v03TaskToCore(value) : value);
  // What was saved is returned unchanged, now that it is known to be a task.
  if (task.success) return { task: task.data, original: isLegacy ? (value as object as V03Task) : undefined };
  throw new Error(
    `The saved task "${taskId}" is not a valid task. Delete it from the store, then fetch it from its agent again.`,
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const DEFAULT_PAGE_SIZE = 50;

/** One page of the matching tasks, newest status first. */
function listSavedTasks(tasks: readonly Task[], request: ListTasksRequest): ListTasksResponse {
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = request;
  const matching = tasks
    .filter((task) => matches(task, request))
    .toSorted((one, other) => compare(positionOf(one), positionOf(other)));
  const after = pageToken === undefined ? undefined : decodePageToken(pageToken);
  const rest =
    after === undefined ? matching : matching.filter((task) => compare(positionOf(task), after) > 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((task) => shorten(task, request)),
    nextPageToken: last !== undefined && rest.length > page.length ? encodePageToken(positionOf(last)) : '',
    pageSize,
    totalSize: matching.length,
  };
}

function matches({ contextId, status }: Task, request: ListTasksRequest): boolean {
  if (request.contextId !== undefined && contextId !== request.contextId) return false;
  if (request.status !== undefined && status.state !== request.status) return false;
  if (request.statusTimestampAfter === undefined) return true;
  return (
    status.timestamp !== undefined && Date.parse(status.timestamp) >= Date.parse(request.statusTimestampAfter)
  );
}

/** The sort key of a task. */
type Position = readonly [time: number, id: string];

function positionOf({ id, status }: Task): Position {
  return [status.timestamp === undefined ? 0 : Date.parse(status.timestamp), id];
}

/** Newest first, then by id. */
function compare([time, id]: Position, [otherTime, otherId]: Position): number {
  if (time !== otherTime) return otherTime - time;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

function encodePageToken(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function decodePageToken(token: string): Position {
  try {
    const [time, id]: unknown[] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof time === 'number' && typeof id === 'string') return [time, id];
  } catch {
    // Reported below.
  }
  throw new A2AError(
    'INVALID_PARAMS',
    'pageToken: expected the nextPageToken of an earlier page, found a different string',
  );
}

function shorten(task: Task, { historyLength, includeArtifacts = false }: ListTasksRequest): Task {
  const { artifacts, history, ...rest } = task;
  const shown = history?.slice(history.length - Math.min(historyLength ?? history.length, history.length));
  return { ...rest, ...(includeArtifacts && artifacts && { artifacts }), ...(shown && { history: shown }) };
}

/** The official SDK's server types, loaded on demand: sessions do not need them. */
const loadSdk = () => import('@holdword/protocol/internal/sdk');

/**
 * Adapts a `TaskStore` of the official SDK's server to a session's task store.
 *
 * @param context The tenant and user that own the tasks. Without it, they belong to no tenant or user.
 * @example
 * ```ts
 * const taskStore = fromSdkTaskStore(new InMemoryTaskStore());
 * const session = new A2ASession(new A2AAgents(), { taskStore });
 * ```
 */
export function fromSdkTaskStore(store: SdkTaskStore, context?: ServerCallContext): TaskStore {
  return {
    async save(task) {
      const sdk = await loadSdk();
      const core = taskSchema.parse(v03TaskToCore(task));
      await store.save(sdk.toSdkTask(core), context ?? new sdk.ServerCallContext());
    },
    async load(taskId) {
      const sdk = await loadSdk();
      const task = await store.load(taskId, context ?? new sdk.ServerCallContext());
      return task && coreTaskToV03(sdk.fromSdkTask(task), 'plain');
    },
  };
}
