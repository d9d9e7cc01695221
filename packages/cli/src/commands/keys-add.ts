import { addKey } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { parseDuration } from './parse-duration.ts';
import { STORE_OPTIONS, withStore } from './with-store.ts';

export const keysAdd: Command = {
  name: 'keys add',
  summary: 'Make an API key for a caller. It is shown once; only its hash is stored.',
  operands: ['NAME'],
  options: {
    expires: {
      value: 'DURATION',
      description: 'how long it is valid, for example 90d or 12h (default: for ever)',
    },
    'same-caller': {
      description: 'the name was revoked, and the new key is for the same caller, who keeps its tasks',
    },
    ...STORE_OPTIONS,
  },
  async run(input) {
    const [name = ''] = input.operands;
    const expires = input.options['expires'];
    const expiresAt =
      expires === undefined ? undefined : new Date(Date.now() + parseDuration(expires, '--expires'));
    const sameCaller = input.options['same-caller'] === 'true';
    const issued = await withStore(input, 'API keys', (store) =>
      addKey(store, { name, sameCaller, ...(expiresAt && { expiresAt }) }),
    );
    input.terminal.out(`${issued.token}\n`);
    input.terminal.error(
      `API key "${name}" was made and is shown above, once. Callers send it as: Authorization: Bearer KEY\n` +
        'A server that started without authentication asks for keys after its next start.\n',
    );
    return 0;
  },
};
