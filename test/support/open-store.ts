import { openJsonFileStore, openMemoryStore, openSqliteStore, type Store } from '@holdword/store';
import { temporaryFolder } from './temporary-folder.ts';

export type StoreKind = 'memory' | 'json-file' | 'sqlite';

export interface TemporaryStore {
  readonly store: Store;
  /** Closes the store and deletes its folder. */
  remove(): Promise<void>;
}

/** Opens a store in a temporary folder. */
export async function openStore(kind: StoreKind = 'sqlite'): Promise<TemporaryStore> {
  const folder = await temporaryFolder();
  const store = await OPEN[kind](folder.path);
  return {
    store,
    remove: async () => {
      await store.close();
      await folder.remove();
    },
  };
}

const OPEN: Readonly<Record<StoreKind, (folder: string) => Store | Promise<Store>>> = {
  memory: () => openMemoryStore(),
  'json-file': (folder) => openJsonFileStore({ folder }),
  sqlite: (folder) => openSqliteStore({ folder }),
};
