/*
 * The backends, each loaded with its libraries on first use: a program on SQLite never loads `pg`, and one on PostgreSQL
 * never loads `node:sqlite`.
 */
import { checkArgument } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { Administration } from './administration.ts';
import { makeFolder } from './data-folder.ts';
import type { JsonFileStoreOptions } from './json-file/open-json-file-store.ts';
import type { Store } from './port.ts';
import type { PostgresStoreOptions } from './postgres/open-postgres-store.ts';
import type { SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';

const text = z.string().min(1);
const inFolder = z.looseObject({ folder: text });
const atUrl = z.looseObject({ url: text, schema: text.optional() });

/**
 * Opens a store on SQLite, the default of the command line: one database file, written by one process, that survives
 * crashes and power loss. The database is created or migrated if needed.
 *
 * @throws StoreError `in-use` if another process has the folder open, `newer-version`, `corrupt` or `unavailable`.
 * @example
 * const store = await openSqliteStore({ folder: '.holdword' });
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  checkArgument('openSqliteStore({ folder })', inFolder, options);
  return (await import('./sqlite/open-sqlite-store.ts')).openSqliteStore(options);
}

/**
 * Opens a store on PostgreSQL, which several processes and hosts can share. The schema is created or migrated if needed.
 *
 * @throws StoreError `newer-version`, `corrupt` or `unavailable`.
 * @example
 * const store = await openPostgresStore({ url: 'postgres://holdword@localhost/holdword' });
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  checkArgument('openPostgresStore({ url })', atUrl, options);
  return (await import('./postgres/open-postgres-store.ts')).openPostgresStore(options);
}

/**
 * Opens a store of plain JSON files, one journal per task.
 *
 * @throws StoreError `in-use` if another process has the folder open, `newer-version`, `corrupt` or `unavailable`.
 * @example
 * const store = await openJsonFileStore({ folder: './tasks' });
 */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<Store> {
  checkArgument('openJsonFileStore({ folder })', inFolder, options);
  return (await import('./json-file/open-json-file-store.ts')).openJsonFileStore(options);
}

/**
 * Migrates, inspects and checks the SQLite database of a data folder.
 *
 * @example
 * const administration = await administerSqlite('.holdword');
 * const { damage } = await administration.check();
 */
export async function administerSqlite(folder: string): Promise<Administration> {
  return (await import('./sqlite/administer-database.ts')).administerSqlite(folder);
}

/**
 * Migrates, inspects and checks a schema in PostgreSQL, over one connection.
 *
 * @throws StoreError `unavailable` if the database cannot be reached.
 * @example
 * const administration = await administerPostgres({ url: 'postgres://localhost/holdword', schema: 'holdword' });
 * await administration.migrate();
 * await administration.close();
 */
export async function administerPostgres(options: { url: string; schema: string }): Promise<Administration> {
  return (await import('./postgres/administer-database.ts')).administerPostgres(options);
}

/**
 * Copies the SQLite database of a data folder to a new file, even while a server writes to it. The copy is a consistent
 * snapshot that includes everything acknowledged before the call. It contains the same secrets; only its owner can read it.
 *
 * @throws StoreError `unavailable` if there is no database, the file exists, or it cannot be written.
 * @example
 * await backupSqlite('.holdword', '/backup/holdword.db');
 */
export async function backupSqlite(folder: string, copy: string): Promise<void> {
  await (await import('./sqlite/administer-database.ts')).backupSqlite(folder, copy);
}

/**
 * Makes this process the only one that uses a data folder, for what is not in the store. SQLite and JSON files do it
 * themselves.
 *
 * @throws StoreError `in-use` if another process has the folder.
 */
export async function lockDataFolder(folder: string): Promise<{ release(): void }> {
  makeFolder(folder);
  return (await import('./sqlite/folder-lock.ts')).lockFolder(folder);
}
