import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linksOf } from '../../docs/links.ts';
import { readPage } from '../../docs/read-page.ts';
import { ReaderMachine } from '../../docs/reader-machine.ts';
import { runPage } from '../../docs/run-page.ts';

const packages = join(import.meta.dirname, '..', '..', '..', 'packages');
const folders = (await readdir(packages)).toSorted();
const readmes = new Map(
  await Promise.all(
    folders.map(
      async (folder) => [folder, await readFile(join(packages, folder, 'README.md'), 'utf8')] as const,
    ),
  ),
);
/** OpenClaw installs the plugins; test/openclaw does it. `net` has nothing to run. */
const withProgram = folders.filter((folder) => !folder.startsWith('openclaw-') && folder !== 'net');

describe.each(folders)('the README of packages/%s', (folder) => {
  const readme = readmes.get(folder) ?? '';

  test('is about this package', async () => {
    const { name } = JSON.parse(await readFile(join(packages, folder, 'package.json'), 'utf8'));
    expect(readme.split('\n')[0]).toBe(`# ${name}`);
  });

  test('has links that lead somewhere on npm as well', () => {
    const relative = linksOf(readme).filter(({ path }) => path !== '' && !path.startsWith('/'));
    expect(relative).toEqual([]);
  });
});

describe('the first program', () => {
  let machine: ReaderMachine;
  beforeAll(async () => {
    machine = await ReaderMachine.open();
  }, 600_000);
  afterAll(() => machine.close());

  test.each(withProgram)(
    'of packages/%s runs and prints what the page shows',
    { timeout: 300_000 },
    async (folder) => {
      const readme = readmes.get(folder) ?? '';
      expect(readPage(readme).some(({ kind }) => kind === 'run')).toBe(true);
      await runPage(readme, machine);
    },
  );
});
