import type { DatabaseSync } from 'node:sqlite';
import { corrupt, newerVersion } from '../../rejections.ts';
import { integer } from '../../columns.ts';
import { initial } from './001-initial.ts';
import { retention } from './002-retention.ts';

/** Each migrates the database from the version of its index to the next. Append-only. */
const MIGRATIONS: readonly string[] = [initial, retention];

export const CURRENT_VERSION = MIGRATIONS.length;

/** Returns the version of a file; rejects one that this version must not write. */
export function checkVersion(database: DatabaseSync): number {
  const version = integer(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version');
  if (version > MIGRATIONS.length) throw newerVersion('holdword.db', version, MIGRATIONS.length);
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) {
    throw corrupt('holdword.db', 'it belongs to another program');
  }
  return version;
}

/** Runs inside the caller's transaction. */
export function migrate(database: DatabaseSync): void {
  const version = checkVersion(database);
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
}
