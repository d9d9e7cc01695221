import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { connectForReading, connectForWriting } from './connect.ts';
import { checkVersion, migrate } from './migrations/migrate.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

/** Looks at the file read-only first: one that this version must not write stays as it is. */
export function refuseForeignDatabase(file: string): void {
  if (existsSync(file)) use(() => connectForReading(file), checkVersion);
}

/** Brings the file to this version. Who serves the folder starts without holders: those of earlier processes are gone. */
export function prepareDatabase(file: string, options: { forgetHolders: boolean }): void {
  use(
    () => connectForWriting(file),
    (database) => {
      database.exec('BEGIN IMMEDIATE');
      migrate(database);
      if (options.forgetHolders) database.exec('DELETE FROM holders');
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
