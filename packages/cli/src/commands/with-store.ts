import type { Store } from '@holdword/store';
import type { CommandInput } from '../command-line/command.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION, resolveConfig } from '../config/resolve-config.ts';
import {
  mayHoldData,
  openStoreForCommand,
  storeLocation,
  type PersistentLocation,
} from '../serving/open-store.ts';
import { CommandError, UsageError } from '../usage-error.ts';

/** Options of every command that opens the store. */
export const STORE_OPTIONS = { ...settingOptions(['data', 'store', 'storeSchema']), config: CONFIG_OPTION };

type Kept = 'API keys' | 'push targets';
type Use<T> = (store: Store, location: PersistentLocation) => Promise<T>;

/** Opens the store that the server uses, even while the server is running, and closes it afterwards. */
export async function withStore<T>(input: CommandInput, kept: Kept, use: Use<T>): Promise<T> {
  return useStore(await persistentLocation(input, kept), use);
}

/** The same for a command that only makes sense with existing data: it creates none. */
export async function withExistingStore<T>(input: CommandInput, kept: Kept, use: Use<T>): Promise<T> {
  const location = await persistentLocation(input, kept);
  if (!mayHoldData(location)) {
    throw new CommandError(
      `There is no data in ${location.folder} yet. Check --data, or start a server first.`,
    );
  }
  return useStore(location, use);
}

async function persistentLocation(input: CommandInput, kept: Kept): Promise<PersistentLocation> {
  const location = storeLocation(await resolveConfig(input));
  if (location.kind === 'memory') {
    throw new UsageError(
      `The memory store does not keep ${kept} after the process ends. Use --store sqlite.`,
    );
  }
  return location;
}

async function useStore<T>(location: PersistentLocation, use: Use<T>): Promise<T> {
  const store = await openStoreForCommand(location);
  try {
    return await use(store, location);
  } catch (error) {
    throw error instanceof Error ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    await store.close();
  }
}
