import { addKey, listKeys, revokeKey, rotateKey } from '@holdword/runtime';
import type { Command } from '../command-line/command.ts';
import { parseDuration } from '../command-line/parse-arguments.ts';
import { renderTable } from '../command-line/render-table.ts';
import { completeConfig, resolveConfig } from '../config/resolve-config.ts';
import { addKeyCommand } from '../serving/authentication.ts';
import { describeLocation } from '../serving/open-store.ts';
import { STORE_OPTIONS, withExistingStore, withStore } from './with-store.ts';

const keysAdd: Command = {
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

const keysList: Command = {
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
    input.terminal.out(renderTable(['NAME', 'CREATED', 'EXPIRES', 'OLD KEY VALID UNTIL'], rows));
    return 0;
  },
};

const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Replace an API key with a new one.',
  details:
    'The name stays the same, and so does the caller: it keeps its tasks. The new key is printed once.',
  operands: ['NAME'],
  options: {
    overlap: {
      value: 'DURATION',
      description: 'How long the old key keeps working, for example 1h',
      default: 'it stops working at once',
    },
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Replace a key that has leaked', command: 'holdword keys rotate laptop' },
    {
      comment: 'Give the caller an hour to switch to the new key',
      command: 'holdword keys rotate laptop --overlap 1h',
    },
  ],
  page: 'guides/authentication.md',
  async run(input) {
    const [name = ''] = input.operands;
    const overlap = input.options['overlap'];
    const overlapMilliseconds = overlap === undefined ? 0 : parseDuration(overlap, '--overlap');
    const issued = await withExistingStore(input, 'API keys', (store) =>
      rotateKey(store, name, { overlapMilliseconds }),
    );
    input.terminal.out(`${issued.token}\n`);
    input.terminal.error(
      `Rotated API key "${name}". The new key is not shown again.\n` +
        `The old key ${overlap === undefined ? 'no longer works' : `works for another ${overlap}`}.\n`,
    );
    return 0;
  },
};

const keysRevoke: Command = {
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
        'That was the last API key. The server still requires one, so create the next with: ' +
          `${addKeyCommand(await resolveConfig(input), completeConfig({}, input))}\n` +
          'To serve without API keys again, set "authentication": {"apiKeys": false} in the configuration.\n',
      );
    }
    return 0;
  },
};

export const commands: readonly Command[] = [keysAdd, keysList, keysRotate, keysRevoke];
