import { openMemoryStore, type Store } from '@holdword/store';

const SHARED = Symbol.for('@holdword/openclaw-a2a-inbound/memory-stores');

/**
 * The tasks of accounts that keep them in memory, for as long as the gateway runs. A change to one account restarts all of
 * them, and no other account may lose its tasks by that.
 */
export class MemoryStores {
  /** Shared by all copies of this code in the process: the gateway may load the plugin again. */
  static shared(): MemoryStores {
    const known: unknown = Reflect.get(globalThis, SHARED);
    if (isMemoryStores(known)) return known;
    const stores = new MemoryStores();
    Reflect.set(globalThis, SHARED, stores);
    return stores;
  }

  readonly #stores = new Map<string, Store>();

  /** The store of an account, empty the first time. */
  open(accountId: string): Store {
    const store = this.#stores.get(accountId) ?? openMemoryStore();
    this.#stores.set(accountId, store);
    return store;
  }

  /** Frees the stores of all other accounts. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const accountId of this.#stores.keys()) {
      if (!accountIds.has(accountId)) this.#stores.delete(accountId);
    }
  }
}

function isMemoryStores(value: unknown): value is MemoryStores {
  return typeof value === 'object' && value !== null && 'open' in value && 'keepOnly' in value;
}
