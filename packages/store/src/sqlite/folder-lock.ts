import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile } from '../data-folder.ts';
import { diskFull, folderInUse, unavailable } from '../rejections.ts';
import type { StoreError } from '../store-error.ts';
import { sqliteErrorCode, SQLITE_BUSY, SQLITE_FULL } from './sqlite-error.ts';

/** Held as long as the store is open. The operating system releases it when the process dies. */
export interface FolderLock {
  release(): void;
}

/**
 * Makes this the only store that serves the folder. The lock is an exclusive transaction on a dedicated file: it is never
 * stale, so it never needs to be broken.
 */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'holdword.lock');
  let database: DatabaseSync | undefined;
  try {
    ensurePrivateFile(file);
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    throw lockFailure(error);
  }
}

/** Why a folder could not be locked. */
export function lockFailure(error: unknown): StoreError {
  const code = sqliteErrorCode(error);
  if (code === SQLITE_BUSY) return folderInUse();
  // The lock file is written when it is new.
  if (code === SQLITE_FULL) return diskFull(error);
  return unavailable('the data folder cannot be locked; check its permissions', error);
}
