import type { Log } from '@holdword/runtime';
import {
  administerPostgres,
  isStoreError,
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '@holdword/store';
import { isInDataFolder } from '@holdword/store/internal';
import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/read-text.ts';
import { isDatabaseUrl, STORE_KINDS } from '../config/store-setting.ts';
import { CommandError } from '../usage-error.ts';

/** A command runs few queries. */
const COMMAND_CONNECTIONS = 2;

/** Where tasks are stored. The folder holds what else a process writes, such as its audit log. */
export type StoreLocation = { readonly kind: 'memory' } | PersistentLocation;

export type PersistentLocation = FolderLocation | DatabaseLocation;

interface FolderLocation {
  readonly kind: 'json-file' | 'sqlite';
  readonly folder: string;
}

interface DatabaseLocation {
  readonly kind: 'postgres';
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
}

type StoreSettings = Pick<Config, 'store' | 'storeSchema' | 'data'>;

export function storeLocation({ store, storeSchema: schema, data: folder }: StoreSettings): StoreLocation {
  if (isDatabaseUrl(store)) return { kind: 'postgres', url: store, schema, folder };
  const kind = STORE_KINDS.find((name) => name === store) ?? 'sqlite';
  return kind === 'memory' ? { kind } : { kind, folder };
}

export function isOnLocalDisk(location: StoreLocation): location is FolderLocation {
  return location.kind === 'sqlite' || location.kind === 'json-file';
}

/** Whether a server or a command has stored something there. Rejects with a StoreError if that cannot be read. */
export async function holdsData(location: PersistentLocation): Promise<boolean> {
  if (isOnLocalDisk(location)) {
    return isInDataFolder(location.folder, location.kind === 'sqlite' ? 'holdword.db' : 'tasks');
  }
  const administration = await administerPostgres({ url: location.url, schema: location.schema });
  try {
    return (await administration.version()).found > 0;
  } finally {
    await administration.close();
  }
}

/** Describes the location without the user, password and options of a database URL. */
export function describeLocation(location: StoreLocation): string {
  if (location.kind === 'memory') return 'in memory, lost when the server stops';
  if (location.kind !== 'postgres') return `${location.folder} (${location.kind})`;
  return `${databaseName(location.url)}, schema ${location.schema} (postgres)`;
}

function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

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
    const [data, advice] =
      location.kind === 'postgres'
        ? [databaseName(location.url), '']
        : [location.folder, ' The option --data names the folder.'];
    throw new CommandError(`Cannot open the data in ${data}: ${error.message}${advice}`, { cause: error });
  }
}

/**
 * A command that works on the same data as this one, without the password of a database URL. `defaults` is the configuration
 * of a command that is given nothing.
 */
export function commandOnStore(words: readonly string[], config: Config, defaults: Config): string {
  const { data, store, storeSchema } = config;
  const all = ['holdword', ...words];
  if (storeLocation(config).kind !== 'postgres' && data !== defaults.data) all.push('--data', data);
  if (store !== defaults.store) all.push('--store', hasPassword(store) ? 'URL' : store);
  if (storeSchema !== defaults.storeSchema) all.push('--store-schema', storeSchema);
  return all.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
