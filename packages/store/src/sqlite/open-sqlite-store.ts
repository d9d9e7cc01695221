import { join } from 'node:path';
import { BackedStore, CommitListeners } from '../backed-store.ts';
import { makeFolder } from '../data-folder.ts';
import type { Store } from '../port.ts';
import { prepareDatabase, rejectForeignDatabase } from './connect.ts';
import { lockFolder } from './folder-lock.ts';
import { SqliteBackend } from './sqlite-backend.ts';

/** Where the SQLite store keeps its data. */
export interface SqliteStoreOptions {
  /** The data folder, which contains `holdword.db`. Created if missing. */
  folder: string;
  /**
   * Opens the data next to a running server, for administrative commands that change records. Takes no lock and does not
   * report its commits to the server.
   *
   * @default false
   */
  shared?: boolean;
}

/** Creates or migrates the database if needed. Documented for users in `open-stores.ts`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { folder, shared = false } = options;
  const file = join(folder, 'holdword.db');
  makeFolder(folder);
  rejectForeignDatabase(file);
  const lock = shared ? undefined : await lockFolder(folder);
  try {
    prepareDatabase(file, { clearHolders: !shared });
    const listeners = new CommitListeners();
    return new BackedStore(new SqliteBackend(file, lock, listeners), listeners);
  } catch (error) {
    lock?.release();
    throw error;
  }
}
