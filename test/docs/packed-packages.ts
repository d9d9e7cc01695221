import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { packPackages } from '../../scripts/build/pack-packages.ts';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'packed');

/** Everything the tarballs are made from. */
const INPUTS = ['packages', 'scripts/build', 'tsconfig.json', 'package-lock.json', 'LICENSE'];
const NOT_INPUT = /(^|[/\\])(node_modules|dist)([/\\]|$)|\.test\.ts$/;

/** The folder with the tarballs of all packages as `npm publish` would upload them. Built once for the same sources. */
export async function packedPackages(): Promise<string> {
  const folder = join(cache, await fingerprint());
  if (await hasTarballs(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const building = await mkdtemp(join(cache, 'building-'));
  try {
    await pack(building);
    await forgetOthers();
    await rename(building, folder);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    // Another process has built the same in the meantime.
    if (!(await hasTarballs(folder))) throw error;
  }
  return folder;
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

/** Whoever still serves an older build has it in memory. */
async function forgetOthers(): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('building-')) await rm(join(cache, name), { recursive: true, force: true });
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
