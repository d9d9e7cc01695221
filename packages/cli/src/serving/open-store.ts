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

/** A command asks little and soon ends. */
const COMMAND_CONNECTIONS = 2;

/** Opens the store for a server, which has it alone unless it is a database. */
export async function openStore(location: StoreLocation, log: Log): Promise<Store> {
  if (location.kind === 'memory') return openMemoryStore();
  return explained(location, () => {
    if (location.kind === 'postgres')
      return openPostgresStore({ url: location.url, schema: location.schema, log });
    return location.kind === 'sqlite'
      ? openSqliteStore({ folder: location.folder })
      : openJsonFileStore({ folder: location.folder });
  });
}

/** Opens the store for a command, beside servers that run. */
export function openStoreForCommand(location: PersistentLocation): Promise<Store> {
  return explained(location, () => {
    if (location.kind === 'postgres') {
      return openPostgresStore({ url: location.url, schema: location.schema, poolSize: COMMAND_CONNECTIONS });
    }
    return location.kind === 'sqlite'
      ? openSqliteStore({ folder: location.folder, shared: true })
      : openJsonFileStore({ folder: location.folder });
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
