import { createLinkToken } from '@holdword/console/internal/sessions';
import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import type { Config } from '../config/config-schema.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore } from './with-store.ts';

const consoleLink: Command = {
  ...listed('console link'),
  details:
    'The first person to open the link is signed in as an operator. It works once, within 24 hours, while the server is ' +
    'running or the next time it runs. Give the options that the server was started with.',
  options: { ...settingOptions(['host', 'port', 'publicUrl']), ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [
    {
      comment: 'Sign in to the console of the server that uses this folder',
      command: 'holdword console link',
    },
  ],
  page: 'guides/console.md',
  async run(input) {
    const url = await withExistingStore(input, 'tasks', async (store, { config }) => {
      return `${addressOf(config)}/console/#link=${await createLinkToken(store)}`;
    });
    printData(input, { url }, () => input.terminal.out(`${url}\n`));
    return 0;
  },
};

function addressOf({ publicUrl, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export const commands: readonly Command[] = [consoleLink];
