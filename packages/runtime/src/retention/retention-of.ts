import type { Retention, Store } from '@holdword/store';

/** How the store forgets. Throws for one that cannot. */
export function retentionOf(store: Store): Retention {
  if (store.retention !== undefined) return store.retention;
  throw new Error(
    `Expected a store that can forget tasks, found ${store.kind}. Use another store, or forget nothing.`,
  );
}
