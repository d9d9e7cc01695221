// `npm run write:api`: writes the reports of the public API, and the pages that describe it, from the comments in the sources.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiFiles, REFERENCE, REPORTS } from './api/api-files.ts';
import { ROOT } from './api/entries.ts';

const { files } = await apiFiles();
for (const folder of [REPORTS, REFERENCE]) {
  await mkdir(join(ROOT, folder), { recursive: true });
  for (const name of await readdir(join(ROOT, folder))) {
    if (!files.has(`${folder}/${name}`)) await rm(join(ROOT, folder, name));
  }
}
for (const [path, content] of files) await writeFile(join(ROOT, path), content);
console.log(`wrote ${files.size} files to ${REPORTS} and ${REFERENCE}`);
