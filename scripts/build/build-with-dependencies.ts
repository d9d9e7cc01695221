import { existsSync } from 'node:fs';
import { cp, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { buildPackages } from './build-packages.ts';
import type { Manifest } from './publishable-manifest.ts';

const root = join(import.meta.dirname, '..', '..');
const packagesFolder = join(root, 'packages');

/** Types and the ways back to sources serve those who write code, not the host that loads it. */
const NOT_FOR_RUNNING = /\.([cm]?ts|map)$/;

/**
 * Builds a package of the workspace into `target`, and puts all that it needs at run time into the node_modules there:
 * other packages of the workspace compiled, those of others as npm has installed them here, in the versions of the tests.
 */
export async function buildWithDependencies(packageFolder: string, target: string): Promise<void> {
  const places = await placesOf(join(packagesFolder, packageFolder));
  const own = new Map(
    [...places]
      .filter(([folder]) => dirname(folder) === packagesFolder)
      .map(([folder, place]) => [relative(packagesFolder, folder), join(target, place)]),
  );
  await buildPackages((name) => own.get(name) ?? target, [...own.keys()]);
  for (const [folder, place] of places) {
    if (dirname(folder) !== packagesFolder) await copyForRunning(folder, join(target, place));
  }
}

/**
 * Where a package and each direct and indirect dependency lie here, and where they go below the target. What npm has
 * nested stays nested.
 */
async function placesOf(packageFolder: string): Promise<Map<string, string>> {
  const places = new Map([[packageFolder, '']]);
  const users = [packageFolder];
  for (let user = users.shift(); user !== undefined; user = users.shift()) {
    for (const name of await wantedBy(user)) {
      const holder = holderOf(name, user);
      const folder = await realpath(join(holder, 'node_modules', name));
      if (places.has(folder)) continue;
      places.set(folder, join(places.get(holder) ?? '', 'node_modules', name));
      users.push(folder);
    }
  }
  return places;
}

async function wantedBy(folder: string): Promise<string[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return Object.keys(manifest.dependencies ?? {});
}

/** The folder whose node_modules Node finds a dependency in: the user's own, or one above it. */
function holderOf(name: string, user: string): string {
  for (let folder = user; folder.startsWith(root); folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name))) return folder;
  }
  throw new Error(`${name}, which ${relative(root, user)} needs, is not installed. Run npm install.`);
}

async function copyForRunning(folder: string, target: string): Promise<void> {
  const isWanted = (path: string): boolean =>
    !NOT_FOR_RUNNING.test(path) && !relative(folder, path).startsWith('node_modules');
  await cp(folder, target, { recursive: true, filter: isWanted });
}
