import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { connectForReading, connectForWriting } from './connect.ts';
import { checkVersion, migrate } from './migrations/migrate.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

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
