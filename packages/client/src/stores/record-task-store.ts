import type { Store } from '@holdword/store';
import { checkArgument, hasMethods } from '../basics/check-options.ts';
import { digestOf } from './safe-name.ts';
import { type TaskTable, TaskTableStore } from './task-table-store.ts';

const NAMESPACE = 'client-tasks';
const isStore = hasMethods(
  ['getRecord', 'putRecord', 'deleteRecord', 'listRecords'],
  "a store, such as await openSqliteStore({ folder: 'data' })",
);
/** Database keys are limited in length and cannot contain lone surrogates. */
const MAX_KEY_LENGTH = 200;

/**
 * Stores tasks as records in a store of `@holdword/store`, such as SQLite or PostgreSQL. The caller closes the store.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, RecordTaskStore } from '@holdword/client';
 * import { openMemoryStore } from '@holdword/store';
 *
 * const taskStore = new RecordTaskStore(openMemoryStore());
 * const session = new A2ASession(new A2AAgents('./agents.json'), { taskStore });
 * console.log(await session.sendMessage('research-bot', 'Hello'));
 * ```
 */
export class RecordTaskStore extends TaskTableStore {
  /** @throws TypeError if it is not a store of `@holdword/store`. */
  constructor(store: Store) {
    checkArgument('new RecordTaskStore(store)', 'store', store, isStore);
    super(new RecordTable(store));
  }
}

class RecordTable implements TaskTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  read(scope: string, taskId: string): Promise<string | undefined> {
    return this.#store.getRecord(NAMESPACE, keyOf(scope, taskId));
  }

  write(scope: string, taskId: string, json: string): Promise<void> {
    return this.#store.putRecord(NAMESPACE, keyOf(scope, taskId), json);
  }

  async remove(scope: string, taskId: string): Promise<void> {
    await this.#store.deleteRecord(NAMESPACE, keyOf(scope, taskId));
  }

  async list(scope: string): Promise<string[]> {
    const records = await this.#store.listRecords(NAMESPACE, prefixOf(scope));
    return records.map(({ value }) => value);
  }
}

function keyOf(scope: string, taskId: string): string {
  const plain = taskId.length <= MAX_KEY_LENGTH && taskId.isWellFormed();
  return `${prefixOf(scope)}${plain ? `id/${taskId}` : `digest/${digestOf(taskId)}`}`;
}

/** A digest contains no slash, so no scope is a prefix of another. */
function prefixOf(scope: string): string {
  return `${scope === '' ? '' : digestOf(scope)}/`;
}
