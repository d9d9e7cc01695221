import type { Store } from '@parley/store';
import type { CommandInput } from '../arguments/command.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { CONFIG_OPTION, DATA_SETTINGS } from '../config/settings-table.ts';
import { openStoreForCommand } from '../serving/open-store.ts';
import { storePlace } from '../serving/store-place.ts';
import { CommandError, UsageError } from '../usage-error.ts';

/** Options of every command that works on what a store keeps. */
export const STORE_OPTIONS = { ...DATA_SETTINGS, config: CONFIG_OPTION };

/** Opens the store the server uses, also while it runs, and closes it afterwards. */
export async function withStore<T>(
  input: CommandInput,
  kept: 'API keys' | 'push targets',
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const place = storePlace(await resolveConfig(input), input.workingFolder);
  if (place.kind === 'memory') {
    throw new UsageError(
      `The memory store keeps no ${kept} beyond the process that made them. Use --store sqlite.`,
    );
  }
  const store = await openStoreForCommand(place);
  try {
    return await use(store);
  } catch (error) {
    throw error instanceof Error ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    await store.close();
  }
}
