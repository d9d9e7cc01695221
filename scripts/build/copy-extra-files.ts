import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Everything else that lies in the folder of a package goes along: its readme, schemas, manifests for hosts, skills. */
const NOT_PUBLISHED_AS_IT_IS = new Set(['src', 'dist', 'node_modules', 'package.json']);

/** Completes a built package with the license and what is not compiled. */
export async function copyExtraFiles(packageFolder: string, target: string): Promise<void> {
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'));
  for (const name of await readdir(packageFolder)) {
    if (NOT_PUBLISHED_AS_IT_IS.has(name)) continue;
    await cp(join(packageFolder, name), join(target, name), { recursive: true });
  }
}
