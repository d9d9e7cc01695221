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
 * Keeps tasks in a table. It is a store for sessions, and a `TaskStore` of the official SDK as well: calls with the
 * context of a server take and give the SDK's objects, and see the tasks of its tenant and user alone.
 *
 * Responsible for what a kept task looks like; leaves to the table where it is kept.
 */
export class TaskTableStore implements TaskStore, SdkTaskStore {
  readonly #table: TaskTable;

  /** @internal */
  constructor(table: TaskTable) {
    this.#table = table;
  }

  async save(task: AnyTask | SdkTask, context?: ServerCallContext): Promise<void> {
    const core = isSdkTask(task) ? (await loadSdk()).fromSdkTask(task) : toCoreTask(task);
    await this.#table.write(scopeOf(context), core.id, JSON.stringify(core));
  }

  load(taskId: string): Promise<Task | undefined>;
  load(taskId: string, context: ServerCallContext): Promise<SdkTask | undefined>;
  async load(taskId: string, context?: ServerCallContext): Promise<Task | SdkTask | undefined> {
    const json = await this.#table.read(scopeOf(context), taskId);
    const task = json === undefined ? undefined : parseTask(json, taskId);
    // A file system that ignores case may have found the task of another id.
    if (task?.id !== taskId) return undefined;
    return context === undefined ? task : (await loadSdk()).toSdkTask(task);
  }

  async delete(taskId: string, context?: ServerCallContext): Promise<void> {
    await this.#table.remove(scopeOf(context), taskId);
  }

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

/** The SDK's states are numbers. */
function isSdkTask(task: AnyTask | SdkTask): task is SdkTask {
  return typeof task.status?.state !== 'string';
}

function scopeOf(context: ServerCallContext | undefined): string {
  const tenant = context?.tenant ?? '';
  const user = context?.user?.userName ?? '';
  return tenant === '' && user === '' ? NO_SCOPE : JSON.stringify([tenant, user]);
}
