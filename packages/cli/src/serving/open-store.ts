import type { Log } from '@holdword/runtime';
import {
  isStoreError,
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '@holdword/store';
import { CommandError } from '../usage-error.ts';
import { databaseName, type PersistentLocation, type StoreLocation } from './store-location.ts';

/** A command runs few queries. */
const COMMAND_CONNECTIONS = 2;

/** Opens the store for a server. Only PostgreSQL can be shared by several servers. */
export async function openStore(location: StoreLocation, log: Log): Promise<Store> {
  if (location.kind === 'memory') return openMemoryStore();
  return withLocationInErrors(location, () => {
    if (location.kind === 'postgres')
      return openPostgresStore({ url: location.url, schema: location.schema, log });
    return location.kind === 'sqlite'
      ? openSqliteStore({ folder: location.folder })
      : openJsonFileStore({ folder: location.folder });
  });
}

/** Opens the store for a command, even while servers are running. */
export function openStoreForCommand(location: PersistentLocation): Promise<Store> {
  return withLocationInErrors(location, () => {
    if (location.kind === 'postgres') {
      return openPostgresStore({ url: location.url, schema: location.schema, poolSize: COMMAND_CONNECTIONS });
    }
    return location.kind === 'sqlite'
      ? openSqliteStore({ folder: location.folder, shared: true })
      : openJsonFileStore({ folder: location.folder });
  });
}

/** Adds the location of the data to errors of the store. */
export async function withLocationInErrors<Result>(
  location: PersistentLocation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const data = location.kind === 'postgres' ? databaseName(location.url) : location.folder;
    throw new CommandError(`Cannot open the data in ${data}: ${error.message}`, { cause: error });
  }
}
