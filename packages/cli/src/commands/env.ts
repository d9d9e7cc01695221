import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { nearestName, shorten } from '@holdword/protocol/internal';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import {
  checkKeySource,
  environmentsFile,
  isEnvironmentName,
  readEnvironments,
  type Environment,
} from '../calling/environments.ts';
import { writeEnvironments } from '../calling/keep-environments.ts';
import { readCallSettings } from '../calling/call-settings.ts';
import { readReference } from '../calling/find-card.ts';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData, printTable } from '../command-line/json-output.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const PAGE = 'guides/talk-to-an-agent.md';

const envAdd: Command = {
  ...listed('env add'),
  details:
    'Then -a NAME is enough in every command that calls an agent. The key is not stored: it is read from its source when the agent ' +
    'is called. It is used instead of A2ACLI_BEARER and A2ACLI_API_KEY, which do not say which agent they are for; --bearer and ' +
    '--api-key win over it.',
  options: {
    'key-from': {
      value: 'SOURCE',
      description: 'Where the key is: env:NAME, file:PATH or command:COMMAND, which prints it',
      default: 'no key',
    },
    'a2a-version': { ...CALL_OPTIONS['a2a-version'], environment: undefined },
    transport: { ...CALL_OPTIONS.transport, environment: undefined },
    replace: { description: 'Replace the agent of this name' },
  },
  examples: [
    {
      comment: 'Name an agent whose key is in a variable',
      command: 'holdword env add work https://agent.example --key-from env:WORK_KEY',
    },
    {
      comment: 'Take the key from a password manager',
      command: 'holdword env add work https://agent.example --key-from "command:pass show work"',
    },
  ],
  page: PAGE,
  async run(input) {
    const [name = '', address = ''] = input.operands;
    checkName(name);
    const environments = await readEnvironments(input.environment);
    if (Object.hasOwn(environments, name) && input.options['replace'] === undefined) {
      throw new UsageError(`There is an agent "${name}" already. Add --replace, or choose another name.`);
    }
    const added = await environmentFrom(input, address);
    await writeEnvironments(input, { ...environments, [name]: added });
    input.terminal.error(`Added "${name}". Check it with: holdword env check ${name}\n`);
    return 0;
  },
};

function checkName(name: string): void {
  if (isEnvironmentName(name)) return;
  throw new UsageError(
    `A name has letters, digits, - and _, at most 64, and is not localhost; found "${shorten(name, 80)}".`,
  );
}

/** What cannot be used is refused now, not with the first call. */
async function environmentFrom(input: CommandInput, address: string): Promise<Environment> {
  const reference = readReference(address, input.workingFolder);
  if ('file' in reference) await checkFile(reference.file, address);
  const source = input.options['key-from'];
  const settings = await readCallSettings({ ...input, environment: {} });
  const { version } = settings;
  void settings.transports;
  return {
    // A file is meant from every folder.
    url: 'file' in reference ? reference.file : address,
    ...(source !== undefined && { keyFrom: absolute(checkKeySource(source), input) }),
    ...(version !== undefined && { a2aVersion: version }),
    ...(input.repeated['transport'] !== undefined && { transport: [...input.repeated['transport']] }),
  };
}

async function checkFile(file: string, address: string): Promise<void> {
  try {
    await access(file);
  } catch {
    throw new UsageError(
      `Expected the URL of an agent or of its card, or a file with its card; found "${shorten(address, 80)}", and there is no such file.`,
    );
  }
}

function absolute(source: string, { environment, workingFolder }: CommandInput): string {
  if (!source.startsWith('file:')) return source;
  const path = source.slice('file:'.length);
  const home = environment['HOME'] ?? homedir();
  return `file:${path.startsWith('~/') ? join(home, path.slice(2)) : resolve(workingFolder, path)}`;
}

const envList: Command = {
  ...listed('env list'),
  options: JSON_OPTION,
  examples: [{ comment: 'List them', command: 'holdword env list' }],
  page: PAGE,
  async run(input) {
    const environments = await readEnvironments(input.environment);
    const rows = Object.entries(environments).map(([name, each]) => [name, each.url, each.keyFrom ?? 'none']);
    const none = 'No agent has a name yet. Add one with: holdword env add NAME URL';
    printTable(input, { environments }, { head: ['NAME', 'AGENT', 'KEY FROM'], rows, none });
    return 0;
  },
};

const envShow: Command = {
  ...listed('env show'),
  options: JSON_OPTION,
  examples: [{ comment: 'Show what -a work stands for', command: 'holdword env show work' }],
  page: PAGE,
  async run(input) {
    const [name = ''] = input.operands;
    const { url, keyFrom, a2aVersion, transport } = await findNamed(input, name);
    const file = environmentsFile(input.environment);
    printData(input, { name, url, keyFrom, a2aVersion, transport, file }, () => {
      const rows = [
        ['Name', name],
        ['Agent', url],
        ['Key from', keyFrom ?? 'none'],
        ['A2A version', a2aVersion],
        ['Transport', transport?.join(', ')],
        ['File', file],
      ];
      for (const [label, value] of rows) if (value !== undefined) input.terminal.out(`${label}: ${value}\n`);
    });
    return 0;
  },
};

const envCheck: Command = {
  ...listed('env check'),
  details: 'The same as holdword doctor -a NAME.',
  options: JSON_OPTION,
  examples: [{ comment: 'See whether -a work can be used', command: 'holdword env check work' }],
  page: 'guides/doctor.md',
  async run(input) {
    const [name = ''] = input.operands;
    await findNamed(input, name);
    const { examineAgent, report } = await import('./doctor.ts');
    return report(input, await examineAgent({ ...input, options: { ...input.options, 'agent-card': name } }));
  },
};

const envRemove: Command = {
  ...listed('env remove'),
  details: 'Its key stays where it is.',
  options: {},
  examples: [{ comment: 'Forget an agent', command: 'holdword env remove work' }],
  page: PAGE,
  async run(input) {
    const [name = ''] = input.operands;
    await findNamed(input, name);
    const { [name]: _removed, ...others } = await readEnvironments(input.environment);
    await writeEnvironments(input, others);
    input.terminal.error(`Removed "${name}".\n`);
    return 0;
  },
};

async function findNamed({ environment }: CommandInput, name: string): Promise<Environment> {
  const environments = await readEnvironments(environment);
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (found !== undefined) return found;
  const nearest = nearestName(name, Object.keys(environments));
  const hint = nearest === undefined ? 'List them with: holdword env list' : `Did you mean "${nearest}"?`;
  throw new UsageError(`There is no agent named "${shorten(name, 80)}". ${hint}`);
}

export const commands: readonly Command[] = [envAdd, envList, envShow, envCheck, envRemove];
