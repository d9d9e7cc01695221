import type { Store } from '@holdword/store';
import { digestOf } from './safe-name.ts';
import { TaskTableStore } from './task-table-store.ts';
import type { TaskTable } from './task-table.ts';

const NAMESPACE = 'client-tasks';
/** Indexes of databases take no long texts, and their texts no halves of characters. */
const MAX_KEY_LENGTH = 200;

/** Keeps tasks as records of a store of `@holdword/store`: SQLite, PostgreSQL or another. Who opened it closes it. */
export class RecordTaskStore extends TaskTableStore {
  constructor(store: Store) {
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

/** A digest has no slash, so no scope begins like another. */
function prefixOf(scope: string): string {
  return `${scope === '' ? '' : digestOf(scope)}/`;
}
