import type { Store } from '../port.ts';
import { MemoryStore } from './memory-store.ts';

/**
 * Opens an empty store in memory, for tests and for agents that need not survive a restart.
 *
 * @example
 * ```ts
 * const store = openMemoryStore();
 * ```
 */
export function openMemoryStore(): Store {
  return new MemoryStore();
}
