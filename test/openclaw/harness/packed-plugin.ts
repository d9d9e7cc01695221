import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPlugin, type PackedPlugin, type PluginFolder } from '../../../scripts/build/pack-plugin.ts';

const packed = new Map<PluginFolder, Promise<PackedPlugin>>();

/** A plugin as users install it, packed once per process and removed with its end. */
export function packedPlugin(plugin: PluginFolder): Promise<PackedPlugin> {
  const packing = packed.get(plugin) ?? pack(plugin);
  packed.set(plugin, packing);
  return packing;
}

async function pack(plugin: PluginFolder): Promise<PackedPlugin> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-plugin-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return packPlugin(plugin, folder);
}
