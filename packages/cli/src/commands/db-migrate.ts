import type { Command } from '../arguments/command.ts';
import { withAdministration } from './with-administration.ts';
import { STORE_OPTIONS } from './with-store.ts';

export const dbMigrate: Command = {
  name: 'db migrate',
  summary: 'Create the database tables, or migrate them to the current version.',
  details:
    'A server does this by itself when it starts. Run it before an upgrade to migrate at a time you choose.',
  options: STORE_OPTIONS,
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
    input.terminal.out(`${describeMigration(from, to)}\n`);
    return 0;
  },
};

function describeMigration(from: number, to: number): string {
  if (from === to) return `The tables are already at version ${to}.`;
  return from === 0
    ? `Created the tables at version ${to}.`
    : `Migrated the tables from version ${from} to ${to}.`;
}
