import type { Finding } from '@holdword/store';
import type { Command } from '../arguments/command.ts';
import { requireCurrentVersion, withAdministration } from './with-administration.ts';
import { STORE_OPTIONS } from './with-store.ts';

const SUBJECTS_SHOWN = 5;

export const dbCheck: Command = {
  name: 'db check',
  summary: 'Look for damage in the database, also while servers run. Ends with code 1 if there is any.',
  options: STORE_OPTIONS,
  async run(input) {
    const { damage, notices } = await withAdministration(input, async (administration) => {
      await requireCurrentVersion(administration);
      return administration.check();
    });
    for (const finding of notices) input.terminal.out(`notice: ${describeFinding(finding)}\n`);
    for (const finding of damage) input.terminal.out(`damage: ${describeFinding(finding)}\n`);
    if (damage.length === 0) {
      input.terminal.out('The data is sound.\n');
      return 0;
    }
    input.terminal.error('The data is damaged. Stop the servers, keep a copy, and restore a backup.\n');
    return 1;
  },
};

function describeFinding({ what, subjects }: Finding): string {
  const shown = subjects.slice(0, SUBJECTS_SHOWN).join(', ');
  const more = subjects.length > SUBJECTS_SHOWN ? ' and more' : '';
  return `${what}: ${shown}${more}`;
}
