import { resolve } from 'node:path';
import { backupSqlite, isStoreError } from '@holdword/store';
import type { Command } from '../arguments/command.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { CONFIG_OPTION, DATA_SETTINGS } from '../config/settings-table.ts';
import { storeLocation } from '../serving/store-location.ts';
import { CommandError, UsageError } from '../usage-error.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Back up the SQLite database to a new file.',
  details: 'Safe while a server is running. The file holds everything committed when the backup began.',
  operands: ['FILE'],
  options: { ...DATA_SETTINGS, config: CONFIG_OPTION },
  examples: [
    { comment: 'Back up the data in .holdword', command: 'holdword backup holdword-backup.db' },
    {
      comment: 'Back up another data folder to a file named by date',
      command: 'holdword backup "/backups/$(date +%F).db" --data /var/lib/holdword',
    },
  ],
  page: 'guides/deploy/backup.md',
  async run(input) {
    const location = storeLocation(await resolveConfig(input), input.workingFolder);
    if (location.kind === 'postgres') {
      throw new UsageError(
        'holdword backup works with SQLite only. Back up PostgreSQL with its own tools, even while servers are running: ' +
          `pg_dump --format=custom --schema='"${location.schema}"' --file=FILE "$DATABASE_URL"`,
      );
    }
    if (location.kind === 'json-file') {
      throw new UsageError(
        `holdword backup works with SQLite only. Stop the server and copy the folder ${location.folder} instead.`,
      );
    }
    if (location.kind === 'memory') {
      throw new UsageError(
        'holdword backup works with SQLite only; the memory store has nothing to back up.',
      );
    }
    const file = resolve(input.workingFolder, input.operands[0] ?? '');
    try {
      await backupSqlite(location.folder, file);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      throw new CommandError(`Backup failed: ${error.message}`, { cause: error });
    }
    input.terminal.out(`Backup written to ${file}.\n`);
    return 0;
  },
};
