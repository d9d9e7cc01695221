// Loads the plugins as OpenClaw does, by the file that their manifests name, and prints their ids.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

for (const name of ['@holdword/openclaw-a2a-inbound', '@holdword/openclaw-a2a-outbound']) {
  const manifestFile = require.resolve(`${name}/package.json`);
  const { openclaw } = require(manifestFile);
  for (const extension of openclaw.extensions) {
    const entry = await import(pathToFileURL(join(dirname(manifestFile), extension)).href);
    console.log(entry.default.id);
  }
}
