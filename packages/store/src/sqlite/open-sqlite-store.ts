import { join } from 'node:path';
import { lockFolder } from '../folder-lock.ts';
import { makeFolder } from '../make-folder.ts';
import type { Store } from '../port.ts';
import { prepareDatabase, refuseForeignDatabase } from './prepare-database.ts';
import { SqliteStore } from './sqlite-store.ts';

export interface SqliteStoreOptions {
  /** Holds `holdword.db`; created when missing. */
  folder: string;
  /**
   * For administrative commands that change records while a server runs on the folder. Takes no lock and tells nobody of
   * its commits.
   */
  shared?: boolean;
}

/** Rejects with a StoreError: `in-use`, `newer-version`, `corrupt`, `unavailable`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { folder, shared = false } = options;
  const file = join(folder, 'holdword.db');
  makeFolder(folder);
  refuseForeignDatabase(file);
  const lock = shared ? undefined : lockFolder(folder);
  try {
    prepareDatabase(file, { forgetHolders: !shared });
    return new SqliteStore(file, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}
