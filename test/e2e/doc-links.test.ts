import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, linksOf } from '../docs/links.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  ...(await markdownIn('.', { recursive: false })),
  ...(await markdownIn('docs')),
  ...(await markdownIn('examples')),
  ...(await markdownIn('bench')),
  ...(await readmesOfPackages()),
];

async function markdownIn(folder: string, { recursive = true } = {}): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive });
  return entries
    .filter((entry) => entry.endsWith('.md') && !entry.includes('node_modules'))
    .map((entry) => join(folder, entry));
}

async function readmesOfPackages(): Promise<string[]> {
  const packages = await readdir(join(root, 'packages'));
  const readmes = packages.map((name) => join('packages', name, 'README.md'));
  const found = await Promise.all(readmes.map((path) => stat(join(root, path)).catch(() => undefined)));
  return readmes.filter((_, index) => found[index]?.isFile());
}

test('anchors are those that GitHub makes', () => {
  const page =
    '# One `two`\n\n## What is it?\n\n```sh\n# none\n```\n\n## What is it?\n\n### [A](b.md) & C, D\n';
  expect([...anchorsOf(page)]).toEqual(['one-two', 'what-is-it', 'what-is-it-1', 'a--c-d']);
});

test('links are read outside of code', () => {
  const page =
    '[a](b.md#c)\n\n```md\n[not](this.md)\n```\n`[nor](that.md)` [web](https://example.com) [here](#x)\n' +
    '[hub](https://github.com/holdword/holdword/blob/main/docs/d.md#e)\n';
  expect(linksOf(page)).toEqual([
    { line: 1, path: 'b.md', anchor: 'c' },
    { line: 6, path: '', anchor: 'x' },
    { line: 7, path: '/docs/d.md', anchor: 'e' },
  ]);
});

test.each(pages)('every link and anchor of %s resolves', async (page) => {
  const dead: string[] = [];
  for (const { line, path, anchor } of linksOf(await readFile(join(root, page), 'utf8'))) {
    const target =
      path === '' ? join(root, page) : join(root, path.startsWith('/') ? '' : join(page, '..'), path);
    const shown = `line ${line}: ${relative(root, target)}${anchor === undefined ? '' : `#${anchor}`}`;
    const found = await stat(target).catch(() => undefined);
    if (found === undefined) dead.push(shown);
    else if (anchor !== undefined && !(await hasAnchor(target, anchor))) dead.push(shown);
  }
  expect(dead).toEqual([]);
});

async function hasAnchor(file: string, anchor: string): Promise<boolean> {
  if (!file.endsWith('.md')) return false;
  return anchorsOf(await readFile(file, 'utf8')).has(anchor);
}
