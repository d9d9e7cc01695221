import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPlugin, type PackedPlugin, type PluginFolder } from '../../../scripts/build/pack-plugin.ts';

const cache = fileURLToPath(new URL('../../../.cache/plugins/', import.meta.url));
const MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1_000;

const packed = new Map<PluginFolder, Promise<PackedPlugin>>();

/**
 * A plugin as users install it, packed once per process. It is kept for a day in a folder named after its content, because it
 * is unknown when the last gateway that loaded it ends.
 */
export function packedPlugin(plugin: PluginFolder): Promise<PackedPlugin> {
  const packing = packed.get(plugin) ?? pack(plugin);
  packed.set(plugin, packing);
  return packing;
}

async function pack(plugin: PluginFolder): Promise<PackedPlugin> {
  await mkdir(cache, { recursive: true });
  await removeOld();
  const unfinished = await mkdtemp(join(cache, 'unfinished-'));
  const { folder, tarball } = await packPlugin(plugin, unfinished);
  const hash = createHash('sha256').update(await readFile(tarball));
  const location = join(cache, `${plugin}-${hash.digest('hex').slice(0, 16)}`);
  try {
    await rename(unfinished, location);
  } catch {
    // The same plugin already exists.
    await rm(unfinished, { recursive: true });
  }
  return { folder: join(location, basename(folder)), tarball: join(location, basename(tarball)) };
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    // Another process may have removed it.
    const found = await stat(folder).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > MAX_AGE_MILLISECONDS;
    if (isOld) await rm(folder, { recursive: true, force: true });
  }
}
