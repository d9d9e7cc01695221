import { type TaskTable, TaskTableStore } from './task-table-store.ts';

/**
 * Stores tasks in memory, until the process ends.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, InMemoryTaskStore } from '@holdword/client';
 *
 * const taskStore = new InMemoryTaskStore();
 * const session = new A2ASession(new A2AAgents('./agents.json'), { taskStore });
 * console.log(await session.sendMessage('research-bot', 'Hello'));
 * ```
 */
export class InMemoryTaskStore extends TaskTableStore {
  constructor() {
    super(new MemoryTable());
  }
}

class MemoryTable implements TaskTable {
  readonly #scopes = new Map<string, Map<string, string>>();

  async read(scope: string, taskId: string): Promise<string | undefined> {
    return this.#scopes.get(scope)?.get(taskId);
  }

  async write(scope: string, taskId: string, json: string): Promise<void> {
    let tasks = this.#scopes.get(scope);
    if (tasks === undefined) this.#scopes.set(scope, (tasks = new Map()));
    tasks.set(taskId, json);
  }

  async remove(scope: string, taskId: string): Promise<void> {
    this.#scopes.get(scope)?.delete(taskId);
  }

  async list(scope: string): Promise<string[]> {
    return [...(this.#scopes.get(scope)?.values() ?? [])];
  }
}
