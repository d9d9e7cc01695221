// `npm run write:reference`: writes the generated parts of docs/reference from the code.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillSections } from './reference/fill-sections.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'reference');
for (const name of (await readdir(folder)).filter((each) => each.endsWith('.md'))) {
  const file = join(folder, name);
  await writeFile(file, await fillSections(await readFile(file, 'utf8'), file));
}
