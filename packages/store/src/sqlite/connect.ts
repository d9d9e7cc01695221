import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile, restrictToOwner } from '../data-folder.ts';
import { checkVersion, migrate } from './migrations.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

const BUSY_TIMEOUT_MILLISECONDS = 5000;

/**
 * Opens the connection for writing. FULL makes every commit wait for the disk (J1). Checkpoints run at 64 MiB of log, so
 * that a page touched by many commits is copied once. SQLite creates its log with the permissions of the database; an
 * existing log keeps its permissions and is restricted here.
 */
export function connectForWriting(file: string): DatabaseSync {
  ensurePrivateFile(file);
  for (const suffix of ['-wal', '-shm']) restrictToOwner(`${file}${suffix}`);
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA busy_timeout = ${BUSY_TIMEOUT_MILLISECONDS};
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -32768;
  `);
  return database;
}

export function connectForReading(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MILLISECONDS}; PRAGMA cache_size = -16384;`);
  return database;
}

/** Opens the file read-only and rejects one that this version must not write, leaving it unchanged. */
export function rejectForeignDatabase(file: string): void {
  if (existsSync(file)) use(() => connectForReading(file), checkVersion);
}

/** Migrates the file to this version. A server also clears the holders, because earlier processes are gone. */
export function prepareDatabase(file: string, options: { clearHolders: boolean }): void {
  use(
    () => connectForWriting(file),
    (database) => {
      database.exec('BEGIN IMMEDIATE');
      migrate(database);
      if (options.clearHolders) database.exec('DELETE FROM holders');
      database.exec('COMMIT');
    },
  );
}

function use(connect: () => DatabaseSync, work: (database: DatabaseSync) => void): void {
  let database: DatabaseSync | undefined;
  try {
    database = connect();
    work(database);
  } catch (error) {
    throw storeErrorFromSqlite(error, 'holdword.db');
  } finally {
    database?.close();
  }
}
