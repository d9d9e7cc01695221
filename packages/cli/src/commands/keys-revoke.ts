import { listKeys, revokeKey } from '@holdword/runtime';
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
    const keysLeft = await withExistingStore(input, 'API keys', async (store) => {
      await revokeKey(store, name);
      return (await listKeys(store)).length;
    });
    input.terminal.error(`Revoked API key "${name}".\n`);
    if (keysLeft === 0) {
      input.terminal.error(
        'That was the last API key. The server still requires one, so create the next with "holdword keys add NAME" and ' +
          'the options of this command.\n' +
          'To serve without API keys again, set "authentication": {"apiKeys": false} in the configuration.\n',
      );
    }
    return 0;
  },
};
