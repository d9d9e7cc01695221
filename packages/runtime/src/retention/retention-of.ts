import type { Retention, Store } from '@holdword/store';

/** How the store removes tasks. Throws if it cannot. */
export function retentionOf(store: Store): Retention {
  if (store.retention !== undefined) return store.retention;
  throw new Error(
    `The ${store.kind} store does not support retention. Use another store, or turn retention off.`,
  );
}
