// `npm run pack:plugins`: makes a file of every OpenClaw plugin that installs without a network, in the folder dist/plugins.
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { packPlugin, PLUGINS } from './build/pack-plugin.ts';

const target = join(import.meta.dirname, '..', 'dist', 'plugins');
await mkdir(target, { recursive: true });
for (const plugin of PLUGINS) {
  const { tarball } = await packPlugin(plugin, target);
  console.log(`packed ${relative(process.cwd(), tarball)}`);
}
