import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePlugin } from './bundle-plugin.ts';

/** The packages that OpenClaw loads as plugins, by their folder. */
export const PLUGINS = ['openclaw-inbound', 'openclaw-outbound'] as const;

export type PluginFolder = (typeof PLUGINS)[number];

export interface PackedPlugin {
  /** The plugin with everything that it needs, to be loaded from where it is. */
  readonly folder: string;
  /** The same as one file, for `openclaw plugins install`. */
  readonly tarball: string;
}

/** Makes a plugin that installs without a network, for its dependencies come with it. */
export async function packPlugin(plugin: PluginFolder, target: string): Promise<PackedPlugin> {
  const folder = join(target, plugin);
  await bundlePlugin(plugin, folder);
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--loglevel=error', '--pack-destination', target],
    { cwd: folder },
  );
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error(`npm pack made no file of ${plugin}; it said: ${stdout}`);
  return { folder, tarball: join(target, packed.filename) };
}
