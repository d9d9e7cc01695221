import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packPackages } from '../../scripts/build/pack-packages.ts';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'packed');

const LONGEST_BUILD_MILLISECONDS = 5 * 60_000;

/** Everything the tarballs are made from. */
const INPUTS = ['packages', 'scripts/build', 'tsconfig.json', 'package-lock.json', 'LICENSE'];
const NOT_INPUT = /(^|[/\\])(node_modules|dist)([/\\]|$)|\.test\.ts$/;

/**
 * The folder with the tarballs of all packages as `npm run pack` writes them. Built once for the same sources: other processes
 * that ask meanwhile wait for it.
 */
export async function packedPackages(): Promise<string> {
  const folder = join(cache, await fingerprint());
  await mkdir(cache, { recursive: true });
  while (!(await hasTarballs(folder))) {
    // A folder is made by exactly one process.
    const first = await mkdir(`${folder}.building`).then(
      () => true,
      () => false,
    );
    if (first) await build(folder);
    else await waitFor(folder);
  }
  return folder;
}

async function build(folder: string): Promise<void> {
  const building = `${folder}.building`;
  try {
    await pack(building);
    await forgetOthers(folder);
    await rename(building, folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Waits while another process builds, and takes over from one that was killed. */
async function waitFor(folder: string): Promise<void> {
  const building = await stat(`${folder}.building`).catch(() => undefined);
  if (building !== undefined && Date.now() - building.birthtimeMs > LONGEST_BUILD_MILLISECONDS) {
    await rm(`${folder}.building`, { recursive: true, force: true });
  }
  await setTimeout(250);
}

async function pack(target: string): Promise<void> {
  const built = join(target, 'built');
  await packPackages(built, target);
  await rm(built, { recursive: true });
}

async function hasTarballs(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => name.endsWith('.tgz'));
}

/** A registry that still serves an older build has it in memory. */
async function forgetOthers(folder: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const isOurs = join(cache, name).startsWith(folder);
    if (!isOurs && !name.endsWith('.building')) await rm(join(cache, name), { recursive: true, force: true });
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    for (const file of (await filesIn(join(root, input))).toSorted()) {
      hash.update(`${relative(root, file)}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.parentPath, entry.name].join(sep))
    .filter((file) => !NOT_INPUT.test(relative(root, file)));
}
