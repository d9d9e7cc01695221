import { join } from 'node:path';
import { bundlePlugin } from './bundle-plugin.ts';
import { packFolder } from './pack-folder.ts';

/** The packages that OpenClaw loads as plugins, by their folder. */
export type PluginFolder = 'openclaw-inbound' | 'openclaw-outbound';

export interface PackedPlugin {
  /** The plugin with everything that it needs, to be loaded from where it is. */
  readonly folder: string;
  /** The same as one file, for `openclaw plugins install`. */
  readonly tarball: string;
}

/** Bundles and packs one plugin, without building the other packages. */
export async function packPlugin(plugin: PluginFolder, target: string): Promise<PackedPlugin> {
  const folder = join(target, plugin);
  await bundlePlugin(plugin, folder);
  return { folder, tarball: await packFolder(folder, target) };
}
