import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPlugin, type PackedPlugin, type PluginFolder } from '../../../scripts/build/pack-plugin.ts';
import { waitUntil } from '../../support/wait-until.ts';

const workspace = fileURLToPath(new URL('../../../', import.meta.url));
const cache = join(workspace, '.cache', 'plugins');
const PACK_MILLISECONDS = 120_000;
const KEEP_MILLISECONDS = 60 * 60 * 1_000;

/**
 * A plugin as users install it. It is packed once for all tests and benchmarks that run with the same sources, however
 * many processes they are.
 */
export async function packedPlugin(plugin: PluginFolder): Promise<PackedPlugin> {
  const target = join(cache, `${plugin}-${await hashOfSources()}`);
  await mkdir(cache, { recursive: true });
  await waitUntil(
    `${plugin} to be packed`,
    () => existsSync(target) || pack(plugin, target),
    PACK_MILLISECONDS,
  );
  const tarball = (await readdir(target)).find((name) => name.endsWith('.tgz')) ?? '';
  return { folder: join(target, plugin, 'package'), tarball: join(target, tarball) };
}

/** Packs, unless another process is doing so: then it is false. */
async function pack(plugin: PluginFolder, target: string): Promise<boolean> {
  const unfinished = `${target}.unfinished`;
  if (await isOlderThan(PACK_MILLISECONDS, unfinished))
    await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(unfinished);
  } catch {
    return false;
  }
  try {
    await packPlugin(plugin, unfinished);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await removeOld(plugin);
  return true;
}

async function removeOld(plugin: PluginFolder): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    if (name.startsWith(plugin) && (await isOlderThan(KEEP_MILLISECONDS, folder))) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function isOlderThan(milliseconds: number, folder: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(folder)).mtimeMs > milliseconds;
  } catch {
    return false;
  }
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(workspace, 'package-lock.json')));
  for (const folder of ['packages', 'scripts/build']) {
    const entries = await readdir(join(workspace, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(workspace, join(entry.parentPath, entry.name)))
      .filter((file) => !/[/\\](node_modules|dist)[/\\]|\.test\.ts$/.test(file));
    for (const file of files.toSorted()) hash.update(file).update(await readFile(join(workspace, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
