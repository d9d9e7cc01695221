import { join } from 'node:path';
import { isStoreError, openMemoryStore, type Store } from '@parley/store';
import type { Config, StoreKind } from '../config/config-schema.ts';
import { CommandError } from '../usage-error.ts';

export interface StorePlace {
  kind: StoreKind;
  folder: string;
}

export function storePlace(config: Config, workingFolder: string): StorePlace {
  return { kind: config.store ?? 'sqlite', folder: config.data ?? join(workingFolder, '.parley') };
}

/** `administrative` opens beside a server that runs, to read and write records alone. */
export async function openStore(place: StorePlace, purpose: 'serve' | 'administrative'): Promise<Store> {
  try {
    return await OPEN[place.kind](place.folder, purpose === 'administrative');
  } catch (error) {
    if (!isStoreError(error)) throw error;
    throw new CommandError(`The data in ${place.folder} cannot be opened: ${error.message}`, {
      cause: error,
    });
  }
}

/** Backends are loaded when they are wanted: the start stays fast. */
const OPEN: Readonly<Record<StoreKind, (folder: string, shared: boolean) => Promise<Store>>> = {
  memory: () => Promise.resolve(openMemoryStore()),
  'json-file': async (folder) => (await import('@parley/store/json-file')).openJsonFileStore({ folder }),
  sqlite: async (folder, shared) =>
    (await import('@parley/store/sqlite')).openSqliteStore({ folder, shared }),
};
