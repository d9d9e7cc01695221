import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import type { Command, CommandInput } from '../command-line/command.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { EXAMPLES_FILE, SKILL_FILE, SKILL_NAME } from './skill-text.ts';

const SCOPES = ['project', 'user'];
const PAGE = 'guides/talk-to-an-agent.md';

const show: Command = {
  ...listed('skill show'),
  options: {},
  examples: [{ comment: 'Read it', command: 'holdword skill show' }],
  page: PAGE,
  async run({ terminal }) {
    terminal.out(SKILL_FILE);
    return 0;
  },
};

const install: Command = {
  ...listed('skill install'),
  details: `Writes .agents/skills/${SKILL_NAME}/SKILL.md, where coding agents look for skills.`,
  options: {
    scope: {
      value: SCOPES.join('|'),
      description: 'For this folder, or for all your projects',
      default: 'project',
    },
    out: { value: 'FOLDER', description: 'Another folder of skills', default: '.agents/skills' },
    force: { description: 'Replace what is there' },
  },
  examples: [
    { comment: 'Install it for this project', command: 'holdword skill install' },
    { comment: 'Install it for all your projects', command: 'holdword skill install --scope user' },
  ],
  page: PAGE,
  async run(input) {
    const folder = join(skillsFolder(input), SKILL_NAME);
    for (const [name, text] of [
      ['SKILL.md', SKILL_FILE],
      [join('references', 'examples.md'), EXAMPLES_FILE],
    ] as const) {
      await write(join(folder, name), text, input.options['force'] === 'true');
    }
    input.terminal.out(`Installed: ${join(folder, 'SKILL.md')}\n`);
    return 0;
  },
};

function skillsFolder({ options, workingFolder, environment }: CommandInput): string {
  const { scope = 'project', out } = options;
  if (!SCOPES.includes(scope)) {
    throw new UsageError(`--scope: expected ${SCOPES.join(' or ')}, found "${scope.slice(0, 40)}".`);
  }
  if (out !== undefined) return resolve(workingFolder, out);
  const base = scope === 'user' ? (environment['HOME'] ?? homedir()) : workingFolder;
  return join(base, '.agents', 'skills');
}

async function write(path: string, text: string, isForced: boolean): Promise<void> {
  try {
    const { makeFolders } = await import('@holdword/store/internal');
    makeFolders(dirname(path), 0o777);
    await writeFile(path, text, { flag: isForced ? 'w' : 'wx' });
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) {
      throw new CommandError(`${path} exists. Replace it with --force.`, { cause: error });
    }
    throw new CommandError(`Cannot write ${path}.`, { cause: error });
  }
}

export const commands: readonly Command[] = [show, install];
