// `npm run write:config-schema`: writes the published schemas from those the programs check with: of holdword.config.json,
// and of the settings in the manifests of the plugins for OpenClaw.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configJsonSchema } from '../packages/cli/src/config/describe-settings.ts';
import { channelJsonSchema } from '../packages/openclaw-inbound/src/config/channel-schema.ts';
import { configJsonSchema as outboundJsonSchema } from '../packages/openclaw-outbound/src/config.ts';

await write('../packages/cli/holdword.config.schema.json', () => configJsonSchema());
await write('../packages/openclaw-inbound/openclaw.plugin.json', (manifest) => {
  manifest.channelConfigs.a2a.schema = channelJsonSchema();
  return manifest;
});
await write('../packages/openclaw-outbound/openclaw.plugin.json', (manifest) => ({
  ...manifest,
  configSchema: outboundJsonSchema(),
}));

async function write(
  path: string,
  change: (current: { channelConfigs: { a2a: { schema: unknown } } }) => unknown,
): Promise<void> {
  const file = fileURLToPath(new URL(path, import.meta.url));
  const changed = change(JSON.parse(await readFile(file, 'utf8')));
  const options = await resolveConfig(file);
  await writeFile(file, await format(JSON.stringify(changed), { ...options, filepath: file }));
}
