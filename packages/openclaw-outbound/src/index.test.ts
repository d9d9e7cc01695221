import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import plugin from './index.ts';
import type { HostTool, PluginApi, PluginService } from './plugin-api.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const MANIFEST: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../openclaw.plugin.json'), 'utf8'),
);

/** Registers the plugin and returns what it registered. */
async function register(pluginConfig: unknown, registrationMode = 'full') {
  const folder = await temporaryFolder();
  const tools: { tool: HostTool; options: object }[] = [];
  const services: PluginService[] = [];
  const log: string[] = [];
  const api: PluginApi = {
    pluginConfig,
    registrationMode,
    logger: { info: (text) => void log.push(text), warn: (text) => void log.push(text) },
    runtime: { state: { resolveStateDir: () => folder } },
    registerTool: (make, options) => void tools.push({ tool: make({ sessionKey: 'agent:main' }), options }),
    registerService: (service) => void services.push(service),
  };
  plugin.register(api);
  onTestFinished(async () => {
    for (const service of services) await service.stop();
  });
  return { tools, services, log };
}

test('registers one optional tool, as declared in the manifest', async () => {
  const { tools, services } = await register({ enabled: true });
  expect(tools).toMatchObject([
    {
      tool: { name: 'remote_agent', resultContentSource: 'network' },
      options: { name: 'remote_agent', optional: true },
    },
  ]);
  expect(services).toHaveLength(1);
  expect(MANIFEST).toMatchObject({
    id: plugin.id,
    contracts: { tools: ['remote_agent'] },
    toolMetadata: { remote_agent: { optional: true } },
  });
  const result = await tools[0]?.tool.execute('call-1', { action: 'list_targets' });
  expect(result?.details).toMatchObject({ ok: true, summary: { targets: [] } });
});

test('registers only the tool during tool discovery', async () => {
  const { tools, services } = await register({ enabled: true }, 'tool-discovery');
  expect(tools).toHaveLength(1);
  expect(services).toEqual([]);
});

test.each([undefined, {}, { enabled: false }])(
  'is disabled with the configuration %j, and logs how to enable it',
  async (config) => {
    const { tools, log } = await register(config);
    expect(tools).toEqual([]);
    expect(log).toEqual([expect.stringContaining('"enabled": true')]);
  },
);

test('rejects an invalid configuration', async () => {
  await expect(register({ enabled: true, targets: {} })).rejects.toThrow('targets: ');
});
