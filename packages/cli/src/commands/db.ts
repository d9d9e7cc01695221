import { resolve } from 'node:path';
import {
  administerPostgres,
  administerSqlite,
  backupSqlite,
  isStoreError,
  type Administration,
  type Finding,
  type StoreStatus,
} from '@holdword/store';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { renderBytes } from '../command-line/render-table.ts';
import type { Config } from '../config/config-schema.ts';
import { completeConfig, resolveConfig } from '../config/resolve-config.ts';
import {
  commandOnStore,
  describeLocation,
  storeLocation,
  withLocationInErrors,
  type StoreLocation,
} from '../serving/open-store.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS } from './with-store.ts';

const MAX_SUBJECTS_SHOWN = 5;

const dbMigrate: Command = {
  ...listed('db migrate'),
  details:
    'A server does this by itself when it starts. Run it before an upgrade to migrate at a time you choose.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    { comment: 'Migrate the data in .holdword', command: 'holdword db migrate' },
    {
      comment: 'Create the tables in a PostgreSQL schema',
      command: 'HOLDWORD_STORE=postgres://holdword@db/holdword holdword db migrate --store-schema a2a',
    },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const { from, to } = await withAdministration(input, (administration) => administration.migrate());
    printData(input, { from, to }, () => input.terminal.out(`${describeMigration(from, to)}\n`));
    return 0;
  },
};

function describeMigration(from: number, to: number): string {
  if (from === to) return `The tables are already at version ${to}.`;
  return from === 0
    ? `Created the tables at version ${to}.`
    : `Migrated the tables from version ${from} to ${to}.`;
}

const dbStatus: Command = {
  ...listed('db status'),
  details: 'Safe while servers are running.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    { comment: 'Show the data in .holdword', command: 'holdword db status' },
    { comment: 'Show another data folder', command: 'holdword db status --data /var/lib/holdword' },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const { data, version, status } = await withAdministration(
      input,
      async (administration, location, config) => ({
        data: describeLocation(location),
        version: await requireCurrentVersion(administration, location, config, input),
        status: await administration.status(),
      }),
    );
    printData(input, { data, version, ...status }, () => {
      const rows = [['data', data], ...describeStatus(status), ['tables', `version ${version}, up to date`]];
      for (const [label = '', value] of rows) input.terminal.out(`${label.padEnd(7)}  ${value}\n`);
    });
    return 0;
  },
};

function describeStatus({ tasks, events, sizes, processes }: StoreStatus): string[][] {
  const total = tasks.reduce((sum, { count }) => sum + count, 0);
  const states = tasks.map(({ state, count }) => `${count} ${stateName(state)}`);
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const parts = sizes.map((size) => `${size.name} ${renderBytes(size.bytes)}`);
  const live = processes.filter(({ secondsLeft }) => secondsLeft > 0);
  const held = live.reduce((sum, { heldTasks }) => sum + heldTasks, 0);
  const seconds = Math.max(...live.map(({ secondsLeft }) => secondsLeft));
  return [
    ['tasks', [String(total), ...states].join(', ')],
    ['events', String(events)],
    ['size', `${renderBytes(bytes)}: ${parts.join(', ')}`],
    [
      'servers',
      live.length === 0
        ? 'none'
        : `${live.length} running, holding ${held} ${held === 1 ? 'task' : 'tasks'} ` +
          `(by heartbeats that expire in ${seconds} s)`,
    ],
  ];
}

function stateName(state: string): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}

const dbCheck: Command = {
  ...listed('db check'),
  details: 'Safe while servers are running. Exits with code 1 if there is damage.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    { comment: 'Check the data in .holdword', command: 'holdword db check' },
    {
      comment: 'Check a PostgreSQL database',
      command: 'HOLDWORD_STORE=postgres://holdword@db/holdword holdword db check',
    },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const { damage, notices } = await withAdministration(input, async (administration, location, config) => {
      await requireCurrentVersion(administration, location, config, input);
      return administration.check();
    });
    printData(input, { damage, notices }, () => {
      for (const finding of notices) input.terminal.out(`notice: ${describeFinding(finding)}\n`);
      for (const finding of damage) input.terminal.out(`damage: ${describeFinding(finding)}\n`);
      if (damage.length === 0) input.terminal.out('No damage found.\n');
    });
    if (damage.length === 0) return 0;
    input.terminal.error(
      'The database is damaged. Stop the servers, keep a copy of the data, and restore a backup.\n',
    );
    return 1;
  },
};

function describeFinding({ what, subjects }: Finding): string {
  const shown = subjects.slice(0, MAX_SUBJECTS_SHOWN).join(', ');
  const more = subjects.length > MAX_SUBJECTS_SHOWN ? ' and more' : '';
  return `${what}: ${shown}${more}`;
}

const backup: Command = {
  ...listed('backup'),
  details: 'Safe while a server is running. The file holds everything committed when the backup began.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    { comment: 'Back up the data in .holdword', command: 'holdword backup holdword-backup.db' },
    {
      comment: 'Back up another data folder to a file named by date',
      command: 'holdword backup "/backups/$(date +%F).db" --data /var/lib/holdword',
    },
  ],
  page: 'guides/deploy/backup.md',
  async run(input) {
    const location = storeLocation(await resolveConfig(input));
    if (location.kind === 'postgres') {
      throw new UsageError(
        'holdword backup works with SQLite only. Back up PostgreSQL with its own tools, even while servers are running: ' +
          `pg_dump --format=custom --schema='"${location.schema}"' --file=FILE "${givenUrl(input)}"`,
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
      throw new CommandError(`Cannot back up ${location.folder} to ${file}: ${error.message}`, {
        cause: error,
      });
    }
    printData(input, { file }, () => input.terminal.out(`Backup written to ${file}.\n`));
    return 0;
  },
};

/** The URL as the user has given it: a variable stays one, for the sake of its password. */
function givenUrl({ options, environment }: CommandInput): string {
  if (options['store'] !== undefined) return 'URL';
  const variable = ['HOLDWORD_STORE', 'DATABASE_URL'].find((name) => environment[name]);
  return variable === undefined ? 'URL' : `$${variable}`;
}

/** Opens the database of the servers for an operator, even while they are running. */
async function withAdministration<Result>(
  input: CommandInput,
  use: (administration: Administration, location: StoreLocation, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await resolveConfig(input);
  const location = storeLocation(config);
  if (location.kind === 'memory' || location.kind === 'json-file') {
    throw new UsageError(
      `holdword db works with SQLite and PostgreSQL only; the configured store is ${location.kind}.` +
        (location.kind === 'json-file' ? ' A server checks the files whenever it starts.' : ''),
    );
  }
  return withLocationInErrors(location, async () => {
    const administration =
      location.kind === 'postgres'
        ? await administerPostgres({ url: location.url, schema: location.schema })
        : await administerSqlite(location.folder);
    try {
      return await use(administration, location, config);
    } finally {
      await administration.close();
    }
  });
}

/** Rejects tables of another version, which this version cannot read. */
async function requireCurrentVersion(
  administration: Administration,
  location: StoreLocation,
  config: Config,
  input: CommandInput,
): Promise<number> {
  const { found, current } = await administration.version();
  if (found === current) return current;
  const migrate = commandOnStore(['db', 'migrate'], config, completeConfig({}, input));
  throw new CommandError(
    found === 0
      ? `There is no data in ${describeLocation(location)} yet. Start a server, or create the tables with: ${migrate}`
      : `The tables are at version ${found}; this holdword needs version ${current}. Migrate them with: ${migrate}`,
  );
}

export const commands: readonly Command[] = [dbMigrate, dbStatus, dbCheck, backup];
