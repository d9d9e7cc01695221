import { resolve } from 'node:path';
import { backupSqlite, isStoreError } from '@holdword/store';
import type { Command } from '../arguments/command.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { CONFIG_OPTION, DATA_SETTINGS } from '../config/settings-table.ts';
import { storeLocation } from '../serving/store-location.ts';
import { CommandError, UsageError } from '../usage-error.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the data into a new file, also while a server runs (SQLite).',
  operands: ['FILE'],
  options: { ...DATA_SETTINGS, config: CONFIG_OPTION },
  async run(input) {
    const location = storeLocation(await resolveConfig(input), input.workingFolder);
    if (location.kind === 'postgres') {
      throw new UsageError(
        'holdword backup copies a SQLite database. Back this one up with the tools of PostgreSQL, also while servers run: ' +
          `pg_dump --format=custom --schema='"${location.schema}"' --file=FILE "$DATABASE_URL"`,
      );
    }
    if (location.kind !== 'sqlite') {
      throw new UsageError(
        `holdword backup copies a SQLite database; this data is kept as ${location.kind}, which has tools of its own.`,
      );
    }
    const file = resolve(input.workingFolder, input.operands[0] ?? '');
    try {
      await backupSqlite(location.folder, file);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      throw new CommandError(`No backup was made: ${error.message}`, { cause: error });
    }
    input.terminal.out(`The data is in ${file}.\n`);
    return 0;
  },
};
