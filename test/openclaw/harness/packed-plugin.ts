import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPlugin, type PackedPlugin, type PluginFolder } from '../../../scripts/build/pack-plugin.ts';

const cache = fileURLToPath(new URL('../../../.cache/plugins/', import.meta.url));
const A_DAY = 24 * 60 * 60 * 1_000;

const packed = new Map<PluginFolder, Promise<PackedPlugin>>();

/**
 * A plugin as users install it, packed once per process. It stays for a while in a folder named after its content: nobody
 * tells when the last gateway that has loaded it ends.
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
  const place = join(cache, `${plugin}-${hash.digest('hex').slice(0, 16)}`);
  try {
    await rename(unfinished, place);
  } catch {
    // The same plugin is there already.
    await rm(unfinished, { recursive: true });
  }
  return { folder: join(place, basename(folder)), tarball: join(place, basename(tarball)) };
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    // Another process may be faster.
    const found = await stat(folder).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > A_DAY;
    if (isOld) await rm(folder, { recursive: true, force: true });
  }
}
