import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAllCommands } from '../commands/all-commands.ts';
import { COMMAND_LIST, TOPICS } from '../commands/command-list.ts';
import type { Command } from './command.ts';
import { renderHelp, renderOverview } from './render-help.ts';

const ALL_COMMANDS = await loadAllCommands();

const COMMAND: Command = {
  name: 'keys add',
  summary: 'Create an API key.',
  details: 'It is printed once.',
  operands: ['NAME'],
  options: {
    data: { value: 'DIR', description: 'Data folder', default: '.holdword', environment: 'HOLDWORD_DATA' },
    loud: { description: 'Say more than anybody wants to read in one line' },
    page: { description: 'Serve a page', default: 'true', negatable: true },
  },
  lists: { Kinds: [['one', 'The first']] },
  examples: [
    { command: 'holdword keys add laptop', comment: 'Create a key' },
    { command: 'holdword keys add ci --loud', comment: 'Create another' },
  ],
  page: 'guides/authentication.md',
  run: () => Promise.resolve(0),
};

test('help has a summary, usage, aligned options, examples and where to read more', () => {
  expect(renderHelp(COMMAND, 60)).toBe(
    `Create an API key.
It is printed once.

Usage: holdword keys add NAME [options]

Options:
  --data DIR   Data folder
               [default: .holdword] [env: HOLDWORD_DATA]
  --loud       Say more than anybody wants to read in one
               line
  --[no-]page  Serve a page
               [default: true]
  -h, --help   Show this help

Kinds:
  one  The first

Examples:
  # Create a key
  holdword keys add laptop

  # Create another
  holdword keys add ci --loud

Read more: https://github.com/holdword/holdword/blob/main/docs/guides/authentication.md
`,
  );
});

test('the overview has a row for the first word of every command, by topic', () => {
  expect(ALL_COMMANDS.map(({ name }) => name)).toEqual(COMMAND_LIST.map(({ name }) => name));
  const firstWords = new Set(ALL_COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''));
  const listed = TOPICS.flatMap(({ words }) => Object.keys(words));
  expect(listed.toSorted()).toEqual([...firstWords].toSorted());
  const overview = renderOverview(TOPICS, COMMAND_LIST, 100);
  for (const word of firstWords) expect(overview).toMatch(new RegExp(`\n {2}${word} .*[a-z]`));
});

test.each(TOPICS.flatMap(({ words }) => Object.entries(words)))(
  'the overview sums up the commands of %s if there are several',
  (word, summary) => {
    const commands = ALL_COMMANDS.filter(({ name }) => name === word || name.startsWith(`${word} `));
    if (summary === undefined) expect(commands).toHaveLength(1);
    else expect(summary).toMatch(/^[A-Z].*\.$/);
  },
);

test('help on a command that others begin with names those', () => {
  expect(renderHelp(COMMAND, 60, [{ name: 'keys add many', summary: 'Create many keys.' }])).toContain(
    'Further commands:\n  keys add many  Create many keys\n',
  );
});

test.each(ALL_COMMANDS.map((command) => [command.name, command] as const))(
  'the help of %s has examples of it and names a page that exists',
  (name, { summary, examples, page }) => {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(examples).not.toEqual([]);
    for (const { command } of examples) expect(command).toContain(`holdword ${name}`);
    expect(existsSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', page))).toBe(true);
  },
);
