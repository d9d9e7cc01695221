import { isStoreError, type StoreError } from '../store-error.ts';
import { corrupt, diskFull, unavailable } from '../rejections.ts';

export const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
const SQLITE_NOT_A_DATABASE = 26;

/** SQLite's primary result code of an error thrown by node:sqlite. */
export function sqliteErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** SQLite's own messages contain file paths, so they stay in `cause`. */
export function storeErrorFromSqlite(error: unknown, name: string): StoreError {
  if (isStoreError(error)) return error;
  switch (sqliteErrorCode(error)) {
    case SQLITE_NOT_A_DATABASE:
      return corrupt(name, 'it is not a SQLite database', error);
    case SQLITE_CORRUPT:
      return corrupt(name, 'its pages are damaged', error);
    case SQLITE_FULL:
      return diskFull(error);
    case SQLITE_BUSY:
      return unavailable('another program has locked the database; try again', error);
    case undefined:
    default:
      return unavailable('SQLite cannot read or write its files; check the disk and the permissions', error);
  }
}
