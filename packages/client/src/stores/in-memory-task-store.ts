import { TaskTableStore } from './task-table-store.ts';
import type { TaskTable } from './task-table.ts';

/** Keeps tasks as long as the process runs. */
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
