import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../docs/read-page.ts';
import { ReaderMachine } from '../docs/reader-machine.ts';
import { runPage } from '../docs/run-page.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = ['README.md', ...(await markdownIn('docs')), ...(await markdownIn('examples'))];
const contents = new Map(
  await Promise.all(pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const)),
);
/** Run with the real OpenClaw by test/openclaw. */
const PAGES_OF_OPENCLAW = [
  'serve-openclaw.md',
  'serve-openclaw-as-a-channel.md',
  'delegate-from-openclaw.md',
].map((page) => join('docs', 'guides', page));
const pagesWithCommands = pages.filter(
  (page) =>
    !PAGES_OF_OPENCLAW.includes(page) &&
    readPage(contents.get(page) ?? '').some((step) => step.kind !== 'file'),
);

async function markdownIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries.filter((entry) => entry.endsWith('.md')).map((entry) => join(folder, entry));
}

test('the pages have commands', () => {
  expect(pagesWithCommands).toContain('README.md');
  expect(pagesWithCommands.length).toBeGreaterThan(4);
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(!hasCurl)('every command works and prints what the page shows', () => {
  let machine: ReaderMachine;
  beforeAll(async () => {
    machine = await ReaderMachine.open();
  }, 300_000);
  afterAll(() => machine.close());

  test('a page that does not say how to get the command or a package fails', async () => {
    await expect(runPage('```sh\nholdword --version\n```\n', machine)).rejects.toThrow(
      'holdword: command not found',
    );
    const page = "```js file=a.mjs\nimport '@holdword/client';\n```\n\n```sh\nnode a.mjs\n```\n";
    await expect(runPage(page, machine)).rejects.toThrow("Cannot find package '@holdword/client'");
  });

  // The first page installs everything, from the network where npm's cache does not have it.
  test.each(pagesWithCommands)('%s', { timeout: 300_000 }, async (page) => {
    await runPage(contents.get(page) ?? '', machine);
  });
});
