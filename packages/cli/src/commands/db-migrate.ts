import type { Command } from '../arguments/command.ts';
import { withAdministration } from './with-administration.ts';
import { STORE_OPTIONS } from './with-store.ts';

export const dbMigrate: Command = {
  name: 'db migrate',
  summary:
    'Bring the tables of the database to the version of this holdword; a server does so when it starts.',
  options: STORE_OPTIONS,
  async run(input) {
    const { from, to } = await withAdministration(input, (administration) => administration.migrate());
    const moved =
      from === 0 ? `Made the tables in version ${to}.` : `Brought the tables from version ${from} to ${to}.`;
    input.terminal.out(from === to ? `The tables have version ${to} already.\n` : `${moved}\n`);
    return 0;
  },
};
