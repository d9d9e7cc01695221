import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillSections } from './fill-sections.ts';
import { SECTIONS } from './sections.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'reference');
const files = (await readdir(folder))
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(folder, name));
const pages = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));

test.each(pages)(
  '%s shows what the code says (write it with: npm run write:reference)',
  async (file, page) => {
    expect(page).toBe(await fillSections(page, file));
  },
);

test('every generated section has its page', () => {
  const all = pages.map(([, page]) => page).join('\n');
  for (const name of Object.keys(SECTIONS)) expect(all).toContain(`<!-- generated: ${name} -->`);
});
