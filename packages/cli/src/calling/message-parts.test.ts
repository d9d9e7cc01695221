import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '../command-line/command.ts';
import { parseArguments } from '../command-line/parse-arguments.ts';
import { messageParts, PART_OPTIONS } from './message-parts.ts';

let workingFolder: string;
beforeAll(async () => {
  workingFolder = await mkdtemp(join(tmpdir(), 'holdword-parts-'));
  await writeFile(join(workingFolder, 'table.csv'), 'a,b\n');
  await writeFile(join(workingFolder, 'more.json'), '{"n":1}');
  await writeFile(join(workingFolder, 'broken.json'), '{"n":');
});
afterAll(() => rm(workingFolder, { recursive: true }));

const COMMAND: Command = {
  name: 'send',
  summary: '',
  furtherOperands: 'TEXT',
  options: PART_OPTIONS,
  examples: [],
  page: '',
  run: () => Promise.resolve(0),
};

function parts(...words: string[]) {
  return messageParts({ ...parseArguments(COMMAND, words), workingFolder });
}

test('parts keep the order of the command line', async () => {
  expect(
    await parts(
      'first',
      '--file',
      'table.csv',
      '--data',
      'more.json',
      '--media-type',
      'a/b',
      '--text',
      'last',
    ),
  ).toEqual([
    { text: 'first' },
    { raw: 'YSxiCg==', filename: 'table.csv', mediaType: 'text/csv' },
    { data: { n: 1 }, mediaType: 'a/b' },
    { text: 'last' },
  ]);
});

test('the agent gets the address of a file on the web, not its content', async () => {
  expect(await parts('--file', 'https://files.example/a/plan.pdf?v=2')).toEqual([
    { url: 'https://files.example/a/plan.pdf?v=2', filename: 'plan.pdf', mediaType: 'application/pdf' },
  ]);
});

test.each([
  [[], /The message is empty/],
  [[''], /The text is empty/],
  [['--media-type', 'a/b', 'x'], /right after the part/],
  [['x', '--media-type', 'a/b', '--media-type', 'c/d'], /right after the part/],
  [['--file', 'none.txt'], /--file none\.txt: it does not exist/],
  [['--data', 'broken.json'], /--data broken\.json: not valid JSON/],
  [['--data', '-', '--data', '-'], /stdin can be read once/],
] as const)('%j is a usage error', async (words, message) => {
  await expect(parts(...words)).rejects.toThrow(message);
});
