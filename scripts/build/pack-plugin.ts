import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildWithDependencies } from './build-with-dependencies.ts';
import type { Manifest } from './publishable-manifest.ts';

const run = promisify(execFile);

/** The packages that OpenClaw loads as plugins, by their folder. */
export const PLUGINS = ['openclaw-inbound', 'openclaw-outbound'] as const;

export type PluginFolder = (typeof PLUGINS)[number];

export interface PackedPlugin {
  /** The plugin with everything that it needs, to be loaded from where it is. */
  readonly folder: string;
  /** The same as one file, for `openclaw plugins install`. */
  readonly tarball: string;
}

/** Makes a plugin that installs without a network: its dependencies come with it, only OpenClaw itself does not. */
export async function packPlugin(plugin: PluginFolder, target: string): Promise<PackedPlugin> {
  const folder = join(target, plugin);
  await buildWithDependencies(plugin, folder);
  await declareBundled(join(folder, 'package.json'));
  const { stdout } = await run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', target], {
    cwd: folder,
  });
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error(`npm pack made no file of ${plugin}; it said: ${stdout}`);
  return { folder, tarball: join(target, packed.filename) };
}

async function declareBundled(manifestFile: string): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  const bundled = { ...manifest, bundledDependencies: Object.keys(manifest.dependencies ?? {}) };
  await writeFile(manifestFile, `${JSON.stringify(bundled, undefined, 2)}\n`);
}
