import { listKeys } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { renderTable } from '../terminal/render-table.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

const HEAD = ['NAME', 'CREATED', 'EXPIRES', 'OLD KEY VALID UNTIL'];

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys.',
  details: 'Shows names and dates, never the keys themselves.',
  options: STORE_OPTIONS,
  examples: [
    { comment: 'List the keys in .holdword', command: 'holdword keys list' },
    {
      comment: 'List the keys in another data folder',
      command: 'holdword keys list --data /var/lib/holdword',
    },
  ],
  page: 'guides/authentication.md',
  async run(input) {
    const keys = await withExistingStore(input, 'API keys', listKeys);
    if (keys.length === 0) {
      input.terminal.error('There are no API keys. Create one with: holdword keys add NAME\n');
      return 0;
    }
    const rows = keys.map((key) => [
      key.name,
      key.createdAt,
      key.expiresAt ?? 'never',
      key.previousValidUntil ?? '',
    ]);
    input.terminal.out(renderTable(HEAD, rows));
    return 0;
  },
};
