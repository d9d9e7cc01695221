import type { Store } from '@holdword/store';
import type { CommandInput } from '../command-line/command.ts';
import type { Config } from '../config/config-schema.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION, resolveConfig } from '../config/resolve-config.ts';
import {
  describeLocation,
  holdsData,
  openStoreForCommand,
  storeLocation,
  withLocationInErrors,
  type PersistentLocation,
} from '../serving/open-store.ts';
import { CommandError, UsageError } from '../usage-error.ts';

/** Options of every command that opens the store. */
export const STORE_OPTIONS = { ...settingOptions(['data', 'store', 'storeSchema']), config: CONFIG_OPTION };

type Kept = 'API keys' | 'agents' | 'push targets' | 'tasks';

/** Where a command found its store, and the configuration that says so. */
export interface StoreContext {
  readonly location: PersistentLocation;
  readonly config: Config;
  /** There was nothing before the command. */
  readonly isNew: boolean;
}

type Use<T> = (store: Store, context: StoreContext) => Promise<T>;

/** Opens the store that the server uses, even while the server is running, and closes it afterwards. */
export async function withStore<T>(input: CommandInput, kept: Kept, use: Use<T>): Promise<T> {
  return useStore(await findStore(input, kept), use);
}

/** The same for a command that only makes sense with existing data: it creates none. */
export async function withExistingStore<T>(input: CommandInput, kept: Kept, use: Use<T>): Promise<T> {
  const context = await findStore(input, kept);
  if (context.isNew) {
    const { location } = context;
    throw new CommandError(
      location.kind === 'postgres'
        ? `There is no data in ${describeLocation(location)} yet. Check --store and --store-schema, or start a server first.`
        : `There is no data in ${location.folder} yet. Check --data, or start a server first.`,
    );
  }
  return useStore(context, use);
}

async function findStore(input: CommandInput, kept: Kept): Promise<StoreContext> {
  const config = await resolveConfig(input);
  const location = storeLocation(config);
  if (location.kind === 'memory') {
    throw new UsageError(
      `The memory store does not keep ${kept} after the process ends. Use --store sqlite.`,
    );
  }
  return { location, config, isNew: !(await withLocationInErrors(location, () => holdsData(location))) };
}

async function useStore<T>(context: StoreContext, use: Use<T>): Promise<T> {
  const store = await openStoreForCommand(context.location);
  try {
    return await use(store, context);
  } catch (error) {
    throw error instanceof Error ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    await store.close();
  }
}
