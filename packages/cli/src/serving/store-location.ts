import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config-schema.ts';
import { isDatabaseUrl, STORE_KINDS } from '../config/store-setting.ts';

/** Where tasks are stored. The folder holds what else a process writes, such as its audit log. */
export type StoreLocation = { readonly kind: 'memory' } | PersistentLocation;

export type PersistentLocation = FolderLocation | DatabaseLocation;

export interface FolderLocation {
  readonly kind: 'json-file' | 'sqlite';
  readonly folder: string;
}

export interface DatabaseLocation {
  readonly kind: 'postgres';
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
}

export function storeLocation(config: Config, workingFolder: string): StoreLocation {
  const { store = 'sqlite', storeSchema: schema = 'holdword' } = config;
  const folder = dataFolder(config, workingFolder);
  if (isDatabaseUrl(store)) return { kind: 'postgres', url: store, schema, folder };
  const kind = STORE_KINDS.find((name) => name === store) ?? 'sqlite';
  return kind === 'memory' ? { kind } : { kind, folder };
}

/** Where a process writes its local files, whichever store the tasks are in. */
export function dataFolder({ data }: Config, workingFolder: string): string {
  return data ?? join(workingFolder, '.holdword');
}

export function isOnLocalDisk(location: StoreLocation): location is FolderLocation {
  return location.kind === 'sqlite' || location.kind === 'json-file';
}

/** False if the disk shows that there is no data. */
export function mayHoldData(location: PersistentLocation): boolean {
  if (!isOnLocalDisk(location)) return true;
  return existsSync(join(location.folder, location.kind === 'sqlite' ? 'holdword.db' : 'tasks'));
}

/** Describes the location without the user, password and options of a database URL. */
export function describeLocation(location: StoreLocation): string {
  if (location.kind === 'memory') return 'in memory, lost when the server stops';
  if (location.kind !== 'postgres') return `${location.folder} (${location.kind})`;
  return `${databaseName(location.url)}, schema ${location.schema} (postgres)`;
}

export function databaseName(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
