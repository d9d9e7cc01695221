import { listKeys } from '@holdword/runtime';
import type { Command } from '../arguments/command.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys: names and dates, never the keys.',
  options: STORE_OPTIONS,
  async run(input) {
    const keys = await withExistingStore(input, 'API keys', listKeys);
    if (keys.length === 0) {
      input.terminal.error('There are no API keys. Make one: holdword keys add NAME\n');
      return 0;
    }
    const width = Math.max(...keys.map((key) => key.name.length));
    for (const key of keys) {
      const expiry = key.expiresAt === undefined ? 'does not expire' : `expires ${key.expiresAt}`;
      const overlap =
        key.previousValidUntil === undefined ? '' : `, earlier key valid until ${key.previousValidUntil}`;
      input.terminal.out(`${key.name.padEnd(width)}  made ${key.createdAt}, ${expiry}${overlap}\n`);
    }
    return 0;
  },
};
