import { revokeKey } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key.',
  details: 'A running server rejects it within a second.',
  operands: ['NAME'],
  options: STORE_OPTIONS,
  examples: [{ comment: 'Revoke the key named laptop', command: 'holdword keys revoke laptop' }],
  page: 'guides/authentication.md',
  async run(input) {
    const [name = ''] = input.operands;
    await withExistingStore(input, 'API keys', (store) => revokeKey(store, name));
    input.terminal.error(`Revoked API key "${name}".\n`);
    return 0;
  },
};
