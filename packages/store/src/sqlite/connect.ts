import { DatabaseSync } from 'node:sqlite';
import { closeToOthers, ensurePrivateFile } from '../private-file.ts';

const BUSY_TIMEOUT_MILLISECONDS = 5000;

/**
 * The writing side. FULL makes every commit wait for the disk (J1). Checkpoints come at 64 MiB of log, because a page
 * that many commits touch is then copied once. SQLite gives its log the permissions of the database; a log that was left
 * behind keeps those it has.
 */
export function connectForWriting(file: string): DatabaseSync {
  ensurePrivateFile(file);
  for (const beside of ['-wal', '-shm']) closeToOthers(`${file}${beside}`);
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
