import { rotateKey } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { parseDuration } from './parse-duration.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const keysRotate: Command = {
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
