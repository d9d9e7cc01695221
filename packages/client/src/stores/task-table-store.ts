import type { Task } from '@holdword/protocol';
import type {
  SdkListTasksRequest,
  SdkListTasksResponse,
  SdkTask,
  SdkTaskStore,
  ServerCallContext,
} from '@holdword/protocol/internal/sdk';
import type { AnyTask } from '../llm/any-artifact.ts';
import { listSavedTasks } from './list-saved-tasks.ts';
import { loadSdk } from './load-sdk.ts';
import { parseTask, toCoreTask } from './task-json.ts';
import type { TaskStore } from './task-store.ts';
import { NO_SCOPE, type TaskTable } from './task-table.ts';

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
  readonly #table: TaskTable;

  /** @internal */
  constructor(table: TaskTable) {
    this.#table = table;
  }

  /** Saves a task of A2A 1.0, A2A 0.3 or the SDK. */
  async save(task: AnyTask | SdkTask, context?: ServerCallContext): Promise<void> {
    const core = isSdkTask(task) ? (await loadSdk()).fromSdkTask(task) : toCoreTask(task);
    await this.#table.write(scopeOf(context), core.id, JSON.stringify(core));
  }

  /**
   * Returns a task of A2A 1.0, or the SDK's object if a context is given; undefined if it is not stored.
   *
   * @throws Error if the saved task is invalid.
   */
  load(taskId: string): Promise<Task | undefined>;
  load(taskId: string, context: ServerCallContext): Promise<SdkTask | undefined>;
  async load(taskId: string, context?: ServerCallContext): Promise<Task | SdkTask | undefined> {
    const json = await this.#table.read(scopeOf(context), taskId);
    const task = json === undefined ? undefined : parseTask(json, taskId);
    // A case-insensitive file system may have found the task of another id.
    if (task?.id !== taskId) return undefined;
    return context === undefined ? task : (await loadSdk()).toSdkTask(task);
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
        kept.map((json) => parseTask(json, '')),
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
