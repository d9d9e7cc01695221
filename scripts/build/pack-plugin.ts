import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
  const folder = join(target, plugin, 'package');
  await bundlePlugin(plugin, folder);
  const manifest: { name: string; version: string } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const name = manifest.name.replace(/^@/, '').replaceAll('/', '-');
  const tarball = join(target, `${name}-${manifest.version}.tgz`);
  // Not by `npm pack`: it leaves out a node_modules that no dependency leads to.
  await promisify(execFile)('tar', ['-czf', tarball, '-C', join(target, plugin), 'package']);
  return { folder, tarball };
}
