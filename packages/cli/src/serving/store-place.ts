import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config-schema.ts';
import { isDatabaseUrl, STORE_KINDS } from '../config/store-setting.ts';

/** Where tasks are kept. The folder holds what a process writes beside them, such as its audit log. */
export type StorePlace = { readonly kind: 'memory' } | LastingPlace;

export type LastingPlace = FolderPlace | DatabasePlace;

export interface FolderPlace {
  readonly kind: 'json-file' | 'sqlite';
  readonly folder: string;
}

export interface DatabasePlace {
  readonly kind: 'postgres';
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
}

export function storePlace(config: Config, workingFolder: string): StorePlace {
  const { store = 'sqlite', storeSchema: schema = 'holdword' } = config;
  const folder = dataFolder(config, workingFolder);
  if (isDatabaseUrl(store)) return { kind: 'postgres', url: store, schema, folder };
  const kind = STORE_KINDS.find((name) => name === store) ?? 'sqlite';
  return kind === 'memory' ? { kind } : { kind, folder };
}

/** Where a process writes what belongs to it alone, wherever the tasks are. */
export function dataFolder({ data }: Config, workingFolder: string): string {
  return data ?? join(workingFolder, '.holdword');
}

export function isOnThisDisk(place: StorePlace): place is FolderPlace {
  return place.kind === 'sqlite' || place.kind === 'json-file';
}

/** False when a look at the disk is enough to know that nothing is there. */
export function mayHoldData(place: LastingPlace): boolean {
  if (!isOnThisDisk(place)) return true;
  return existsSync(join(place.folder, place.kind === 'sqlite' ? 'holdword.db' : 'tasks'));
}

/** Names the place to people, without user, password and options of a database. */
export function describePlace(place: StorePlace): string {
  if (place.kind === 'memory') return 'in memory, gone when this stops';
  if (place.kind !== 'postgres') return `${place.folder} (${place.kind})`;
  return `${databaseName(place.url)}, schema ${place.schema} (postgres)`;
}

export function databaseName(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
