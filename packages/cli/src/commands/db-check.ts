import type { Finding } from '@holdword/store';
import type { Command } from '../arguments/command.ts';
import { requireCurrentVersion, withAdministration } from './with-administration.ts';
import { STORE_OPTIONS } from './with-store.ts';

const MAX_SUBJECTS_SHOWN = 5;

export const dbCheck: Command = {
  name: 'db check',
  summary: 'Check the database for damage.',
  details: 'Safe while servers are running. Exits with code 1 if there is damage.',
  options: STORE_OPTIONS,
  examples: [
    { comment: 'Check the data in .holdword', command: 'holdword db check' },
    {
      comment: 'Check a PostgreSQL database',
      command: 'HOLDWORD_STORE=postgres://holdword@db/holdword holdword db check',
    },
  ],
  page: 'guides/operate.md',
  async run(input) {
    const { damage, notices } = await withAdministration(input, async (administration, location) => {
      await requireCurrentVersion(administration, location);
      return administration.check();
    });
    for (const finding of notices) input.terminal.out(`notice: ${describeFinding(finding)}\n`);
    for (const finding of damage) input.terminal.out(`damage: ${describeFinding(finding)}\n`);
    if (damage.length === 0) {
      input.terminal.out('No damage found.\n');
      return 0;
    }
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
