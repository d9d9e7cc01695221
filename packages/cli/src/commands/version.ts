import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { version } from '../version.ts';
import { listed } from './command-list.ts';

const versionCommand: Command = {
  ...listed('version'),
  options: JSON_OPTION,
  examples: [
    { comment: 'Print the version', command: 'holdword version' },
    { comment: 'Print it with that of Node', command: 'holdword version --json' },
  ],
  page: 'reference/command-line.md',
  async run(input) {
    printData(input, { version: version(), node: process.versions.node }, () =>
      input.terminal.out(`${version()}\n`),
    );
    return 0;
  },
};

export const commands: readonly Command[] = [versionCommand];
