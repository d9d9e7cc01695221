import type { Log } from '@holdword/runtime';
import { isStoreError, openMemoryStore, type Store } from '@holdword/store';
import type { PostgresStoreOptions } from '@holdword/store/postgres';
import { CommandError } from '../usage-error.ts';
import { databaseName, type PersistentLocation, type StoreLocation } from './store-location.ts';

/** A command asks little and soon ends. */
const COMMAND_CONNECTIONS = 2;

/** Opens the store for a server, which has it alone unless it is a database. */
export async function openStore(location: StoreLocation, log: Log): Promise<Store> {
  if (location.kind === 'memory') return openMemoryStore();
  return explained(location, () => {
    if (location.kind === 'postgres')
      return openPostgres({ url: location.url, schema: location.schema, log });
    return location.kind === 'sqlite' ? openSqlite(location.folder, false) : openJsonFiles(location.folder);
  });
}

/** Opens the store for a command, beside servers that run. */
export function openStoreForCommand(location: PersistentLocation): Promise<Store> {
  return explained(location, () => {
    if (location.kind === 'postgres') {
      return openPostgres({ url: location.url, schema: location.schema, poolSize: COMMAND_CONNECTIONS });
    }
    return location.kind === 'sqlite' ? openSqlite(location.folder, true) : openJsonFiles(location.folder);
  });
}

/** Does something with the data and says which data it was when that fails. */
export async function explained<Result>(
  location: PersistentLocation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const data = location.kind === 'postgres' ? databaseName(location.url) : location.folder;
    throw new CommandError(`The data in ${data} cannot be opened: ${error.message}`, { cause: error });
  }
}

// Backends are loaded when they are wanted: the start stays fast.

async function openJsonFiles(folder: string): Promise<Store> {
  return (await import('@holdword/store/json-file')).openJsonFileStore({ folder });
}

async function openSqlite(folder: string, shared: boolean): Promise<Store> {
  return (await import('@holdword/store/sqlite')).openSqliteStore({ folder, shared });
}

async function openPostgres(options: PostgresStoreOptions): Promise<Store> {
  return (await import('@holdword/store/postgres')).openPostgresStore(options);
}
