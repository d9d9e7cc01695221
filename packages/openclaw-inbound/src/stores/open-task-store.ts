import type { Log } from '@holdword/runtime';
import {
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '@holdword/store';
import type { TaskStoreConfig } from '../config/account-config.ts';
import { adoptEarlierTasks } from './earlier-records/adopt-earlier-tasks.ts';

/** Opens the store that an account's configuration names. Rejects with a StoreError that says what to do. */
export async function openTaskStore(config: TaskStoreConfig, log: Log): Promise<Store> {
  switch (config.kind) {
    case 'memory':
      return openMemoryStore();
    case 'json-file':
      return openJsonFileStore({ folder: config.path, adopt: adoptEarlierTasks(config.path) });
    case 'sqlite':
      return openSqliteStore({ folder: config.path });
    case 'postgres':
    default: {
      const { url, schema } = config;
      return openPostgresStore({ url, log, ...(schema !== undefined && { schema }) });
    }
  }
}
