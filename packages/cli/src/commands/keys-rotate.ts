import { rotateKey } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { parseDuration } from './parse-duration.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Replace an API key by a new one of the same name. The caller keeps its tasks.',
  operands: ['NAME'],
  options: {
    overlap: {
      value: 'DURATION',
      description: 'how long the old key still works, for example 1h (default: not at all)',
    },
    ...STORE_OPTIONS,
  },
  async run(input) {
    const [name = ''] = input.operands;
    const overlap = input.options['overlap'];
    const overlapMilliseconds = overlap === undefined ? 0 : parseDuration(overlap, '--overlap');
    const issued = await withExistingStore(input, 'API keys', (store) =>
      rotateKey(store, name, { overlapMilliseconds }),
    );
    input.terminal.out(`${issued.token}\n`);
    input.terminal.error(
      `API key "${name}" was replaced; the new one is shown above, once. ` +
        `The old one ${overlap === undefined ? 'no longer works' : `works for ${overlap} more`}.\n`,
    );
    return 0;
  },
};
