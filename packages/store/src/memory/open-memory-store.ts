import { BackedStore, CommitListeners } from '../backed-store.ts';
import type { Store } from '../port.ts';
import { MemoryBackend } from './memory-backend.ts';

/**
 * Opens an empty store in memory, for tests and for agents that need not survive a restart.
 *
 * @example
 * ```ts
 * const store = openMemoryStore();
 * ```
 */
export function openMemoryStore(): Store {
  const listeners = new CommitListeners();
  return new BackedStore(new MemoryBackend(listeners), listeners);
}
