import { revokeKey } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Take an API key back. A running server refuses it within a second.',
  operands: ['NAME'],
  options: STORE_OPTIONS,
  async run(input) {
    const [name = ''] = input.operands;
    await withExistingStore(input, 'API keys', (store) => revokeKey(store, name));
    input.terminal.error(`API key "${name}" was revoked.\n`);
    return 0;
  },
};
