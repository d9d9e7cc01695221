import { addKey } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { describeLocation } from '../serving/store-location.ts';
import { parseDuration } from './parse-duration.ts';
import { STORE_OPTIONS, withStore } from './with-store.ts';

export const keysAdd: Command = {
  name: 'keys add',
  summary: 'Create an API key.',
  details: 'The key is printed once; only its hash is stored.',
  operands: ['NAME'],
  options: {
    expires: {
      value: 'DURATION',
      description: 'How long the key is valid, for example 90d or 12h',
      default: 'no expiry',
    },
    'same-caller': {
      description: 'Reuse a revoked name for the same caller, who sees its earlier tasks again',
    },
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Create a key for a laptop', command: 'holdword keys add laptop' },
    {
      comment: 'Create a key that expires, and keep it in a variable',
      command: 'HOLDWORD_KEY=$(holdword keys add ci --expires 90d)',
    },
  ],
  page: 'guides/authentication.md',
  async run(input) {
    const [name = ''] = input.operands;
    const expires = input.options['expires'];
    const expiresAt =
      expires === undefined ? undefined : new Date(Date.now() + parseDuration(expires, '--expires'));
    const sameCaller = input.options['same-caller'] === 'true';
    const { token, location } = await withStore(input, 'API keys', async (store, where) => {
      const issued = await addKey(store, { name, sameCaller, ...(expiresAt && { expiresAt }) });
      return { token: issued.token, location: describeLocation(where) };
    });
    input.terminal.out(`${token}\n`);
    input.terminal.error(
      `Created API key "${name}" in ${location}. It is not shown again.\n` +
        'Callers send it as: Authorization: Bearer KEY\n' +
        'A server that is running without authentication requires keys after its next restart.\n',
    );
    return 0;
  },
};
