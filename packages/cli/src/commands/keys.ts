import { addKey, listKeys, revokeKey, rotateKey, type ApiKey, type CallerRole } from '@holdword/runtime';
import { checkKeyName } from '@holdword/runtime/internal';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData, printTable } from '../command-line/json-output.ts';
import { parseLongDuration } from '../command-line/parse-arguments.ts';
import { completeConfig } from '../config/resolve-config.ts';
import { addKeyCommand } from '../serving/authentication.ts';
import { describeLocation } from '../serving/open-store.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore, withStore } from './with-store.ts';

const NEW_DATA =
  'Warning: there was no data before, so no server knows this key yet. If your server is already running, it uses other data: ' +
  'give this command the --data, --store and --config, or the environment variables, of the server.';

const keysAdd: Command = {
  ...listed('keys add'),
  details: 'The key is printed once; only its hash is stored.',
  options: {
    expires: {
      value: 'DURATION',
      description: 'How long the key is valid, for example 90d or 12h',
      default: 'no expiry',
    },
    role: {
      value: 'ROLE',
      description:
        'caller, or operator: may also manage the agents of a hub, including those of other callers',
      default: 'caller',
    },
    'same-caller': {
      description: 'Reuse a revoked name for the same caller, who sees its earlier tasks again',
    },
    ...JSON_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Create a key for a laptop', command: 'holdword keys add laptop' },
    {
      comment: 'Create a key that expires, and keep it in a variable',
      command: 'HOLDWORD_KEY=$(holdword keys add ci --expires 90d)',
    },
    {
      comment: 'Create a key that can rotate the token of any agent of a hub',
      command: 'holdword keys add ada --role operator',
    },
  ],
  page: 'guides/authentication.md',
  async run(input) {
    const name = acceptedName(input.operands[0] ?? '');
    const expiresAt = readExpiry(input.options['expires']);
    const role = acceptedRole(input.options['role']);
    const sameCaller = input.options['same-caller'] === 'true';
    const { issued, data, isNew } = await withStore(input, 'API keys', async (store, context) => ({
      issued: await addKey(store, { name, role, sameCaller, ...(expiresAt && { expiresAt }) }),
      data: describeLocation(context.location),
      isNew: context.isNew,
    }));
    printData(input, { ...issued.key, key: issued.token, data }, () => {
      input.terminal.out(`${issued.token}\n`);
    });
    await shown(input, name);
    input.terminal.error(
      `Created API key "${name}" in ${data}. It is not shown again.\n` +
        'Callers send it as: Authorization: Bearer KEY\n' +
        'A server that is running without authentication requires keys after its next restart.\n',
    );
    if (isNew) input.terminal.error(`${NEW_DATA}\n`);
    return 0;
  },
};

/** @throws UsageError, before any data is created */
function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const milliseconds = parseLongDuration(text, '--expires');
  if (milliseconds > 0) return new Date(Date.now() + milliseconds);
  throw new UsageError(`--expires: expected a duration above 0, such as 90d, found "${text}".`);
}

/** A key that could not be shown is lost: its hash is stored, and it is valid. */
async function shown({ terminal }: CommandInput, name: string): Promise<void> {
  try {
    await terminal.written();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'Could not write the output.';
    throw new CommandError(
      `${reason} The key "${name}" is stored, but nobody has seen it. Replace it with: holdword keys rotate ${name}`,
      { cause: error },
    );
  }
}

/** @throws UsageError, before any data is created */
function acceptedName(name: string): string {
  try {
    return checkKeyName(name);
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message, { cause: error }) : error;
  }
}

function acceptedRole(role = 'caller'): CallerRole {
  if (role === 'caller' || role === 'operator') return role;
  throw new UsageError(`Expected --role to be caller or operator, found "${role}".`);
}

const keysList: Command = {
  ...listed('keys list'),
  details:
    'Shows names, ids and dates, never the keys themselves. Logs name a key that was refused by its name or its id.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    { comment: 'List the keys in .holdword', command: 'holdword keys list' },
    {
      comment: 'List the keys in another data folder',
      command: 'holdword keys list --data /var/lib/holdword',
    },
  ],
  page: 'guides/authentication.md',
  async run(input) {
    const keys = await withExistingStore(input, 'API keys', (store) => listKeys(store));
    const none = 'There are no API keys. Create one with: holdword keys add NAME';
    printTable(input, { keys }, { head: HEAD, rows: keys.map(rowOf), none });
    return 0;
  },
};

const HEAD = ['NAME', 'ID', 'ROLE', 'CREATED', 'EXPIRES', 'OLD KEY VALID UNTIL'];

function rowOf({
  name,
  id,
  role,
  createdAt,
  expiresAt = 'never',
  previousValidUntil = '',
}: ApiKey): string[] {
  return [name, id, role, createdAt, expiresAt, previousValidUntil];
}

const keysRotate: Command = {
  ...listed('keys rotate'),
  details:
    'The name stays the same, and so does the caller: it keeps its tasks. The new key is printed once.',
  options: {
    overlap: {
      value: 'DURATION',
      description: 'How long the old key keeps working, for example 1h',
      default: 'it stops working at once',
    },
    ...JSON_OPTION,
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
    const overlapMilliseconds = overlap === undefined ? 0 : parseLongDuration(overlap, '--overlap');
    const issued = await withExistingStore(input, 'API keys', (store) =>
      rotateKey(store, name, { overlapMilliseconds }),
    );
    printData(input, { ...issued.key, key: issued.token }, () => {
      input.terminal.out(`${issued.token}\n`);
    });
    await shown(input, name);
    input.terminal.error(
      `Rotated API key "${name}". The new key is not shown again.\n` +
        `The old key ${overlap === undefined ? 'no longer works' : `works for another ${overlap}`}.\n`,
    );
    return 0;
  },
};

const keysRevoke: Command = {
  ...listed('keys revoke'),
  details: 'A running server rejects it within a second.',
  options: STORE_OPTIONS,
  examples: [{ comment: 'Revoke the key named laptop', command: 'holdword keys revoke laptop' }],
  page: 'guides/authentication.md',
  async run(input) {
    const [name = ''] = input.operands;
    const { keysLeft, config } = await withExistingStore(input, 'API keys', async (store, context) => {
      await revokeKey(store, name);
      return { keysLeft: (await listKeys(store)).length, config: context.config };
    });
    input.terminal.error(`Revoked API key "${name}".\n`);
    if (keysLeft === 0) {
      input.terminal.error(
        'That was the last API key. A running server rejects every key from now on, and still requires one after a restart. ' +
          'Create the next with: ' +
          `${addKeyCommand(config, completeConfig({}, input))}\n` +
          'To serve without API keys again, set "authentication": {"apiKeys": false} in the configuration.\n',
      );
    }
    return 0;
  },
};

export const commands: readonly Command[] = [keysAdd, keysList, keysRotate, keysRevoke];
