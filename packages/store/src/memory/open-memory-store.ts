import type { Store } from '../port.ts';
import { MemoryStore } from './memory-store.ts';

export function openMemoryStore(): Store {
  return new MemoryStore();
}
