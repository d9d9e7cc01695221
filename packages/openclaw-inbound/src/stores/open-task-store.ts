import type { Log } from '@holdword/runtime';
import {
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '@holdword/store';
import type { TaskStoreConfig } from '../config/account-config.ts';
import { adoptLegacyTasks } from './adopt-legacy-tasks.ts';

/** Opens the task store of an account. Rejects with a StoreError that says what to do. */
export async function openTaskStore(config: TaskStoreConfig, log: Log): Promise<Store> {
  switch (config.kind) {
    case 'memory':
      return openMemoryStore();
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
