import type { Log } from '@holdword/runtime';
import { isStoreError, openMemoryStore, type Store } from '@holdword/store';
import type { PostgresStoreOptions } from '@holdword/store/postgres';
import { CommandError } from '../usage-error.ts';
import { databaseName, type LastingPlace, type StorePlace } from './store-place.ts';

/** A command asks little and soon ends. */
const COMMAND_CONNECTIONS = 2;

/** Opens the store for a server, which has it alone unless it is a database. */
export async function openStore(place: StorePlace, log: Log): Promise<Store> {
  if (place.kind === 'memory') return openMemoryStore();
  return explained(place, () => {
    if (place.kind === 'postgres') return openPostgres({ url: place.url, schema: place.schema, log });
    return place.kind === 'sqlite' ? openSqlite(place.folder, false) : openJsonFiles(place.folder);
  });
}

/** Opens the store for a command, beside servers that run. */
export function openStoreForCommand(place: LastingPlace): Promise<Store> {
  return explained(place, () => {
    if (place.kind === 'postgres') {
      return openPostgres({ url: place.url, schema: place.schema, poolSize: COMMAND_CONNECTIONS });
    }
    return place.kind === 'sqlite' ? openSqlite(place.folder, true) : openJsonFiles(place.folder);
  });
}

/** Does something with the data and says which data it was when that fails. */
export async function explained<Result>(place: LastingPlace, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const data = place.kind === 'postgres' ? databaseName(place.url) : place.folder;
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
