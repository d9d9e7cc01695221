import type { Log } from '@holdword/runtime';
import { openJsonFileStore, openPostgresStore, openSqliteStore, type Store } from '@holdword/store';
import type { AccountConfig, TaskStoreConfig } from '../config/account-config.ts';
import { adoptLegacyTasks } from './adopt-legacy-tasks.ts';
import type { MemoryStores } from './memory-stores.ts';

/** The task store of a running account. */
export interface OpenTaskStore {
  readonly store: Store;
  /** The account has stopped. */
  readonly close: () => Promise<void>;
}

/** Opens the task store of an account. Rejects with a StoreError that says what to do. */
export async function openTaskStore(
  { accountId, taskStore }: Pick<AccountConfig, 'accountId' | 'taskStore'>,
  memoryStores: MemoryStores,
  log: Log,
): Promise<OpenTaskStore> {
  if (taskStore.kind === 'memory') return { store: memoryStores.open(accountId), close: async () => {} };
  const store = await openDurableStore(taskStore, log);
  return { store, close: () => store.close() };
}

async function openDurableStore(
  config: Exclude<TaskStoreConfig, { kind: 'memory' }>,
  log: Log,
): Promise<Store> {
  switch (config.kind) {
    case 'json-file':
      return openJsonFileStore({ folder: config.path, adopt: adoptLegacyTasks(config.path) });
    case 'sqlite':
      return openSqliteStore({ folder: config.path });
    case 'postgres':
    default: {
      const { url, schema } = config;
      return openPostgresStore({ url, log, ...(schema !== undefined && { schema }) });
    }
  }
}
