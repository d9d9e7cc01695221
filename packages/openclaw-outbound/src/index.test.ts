import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
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

const DESK = { alias: 'desk', baseUrl: 'https://desk.example' };

test.each([
  ['no list of targets', { targets: {} }, 'targets: '],
  ['the same alias twice', { targets: [DESK, DESK] }, 'Duplicate target alias "desk"'],
  [
    'two default targets',
    {
      targets: [
        { ...DESK, default: true },
        { ...DESK, alias: 'two', default: true },
      ],
    },
    'More than one default target: desk, two',
  ],
  ['a transport that it does not have', { defaults: { preferredTransports: ['REST'] } }, 'REST'],
])('with %s, the log and every call say what is wrong', async (_, config, problem) => {
  const { tools, log } = await register({ enabled: true, ...config });
  expect(log).toEqual([expect.stringContaining(problem)]);
  const result = await tools[0]?.tool.execute('call-1', { action: 'list_targets' });
  expect(result?.details).toMatchObject({
    ok: false,
    action: 'list_targets',
    error: { message: expect.stringContaining(problem), details: { reason: 'invalid_configuration' } },
  });
  expect(result?.content[0]?.text).toContain(JSON.stringify(problem).slice(1, -1));
});

test.each([
  ['https://ann:secret@desk.example', false],
  ['https://ann@desk.example/a', false],
  ['https://desk.example?of=a@b', true],
  ['https://desk.example/@ann', true],
  ['https://desk.example', true],
  ['http://u:p@desk.example', false],
  ['127.0.0.1:28310', false],
  ['ftp://desk.example', false],
])('the plugin, not the schema in the manifest, decides about %s', (baseUrl, isValid) => {
  const { configSchema } = MANIFEST as { configSchema: AnySchema };
  const isAccepted = new Ajv({ strict: false }).compile(configSchema);
  const config = { targets: [{ ...DESK, baseUrl }] };
  expect(isAccepted(config)).toBe(true);
  if (isValid) expect(readConfig(config).targets).toHaveLength(1);
  else expect(() => readConfig(config)).toThrow('targets.0.baseUrl: expected a URL ');
});

test.each([
  [{ type: 'bearer', tokne: 'x' }, [/additional properties/]],
  [{ type: 'beaerr', token: 'x' }, [/one of the allowed values/]],
])('the schema in the manifest reports only what is wrong with the credentials %j', (auth, expected) => {
  const { configSchema } = MANIFEST as { configSchema: AnySchema };
  const check = new Ajv({ strict: false, allErrors: true }).compile(configSchema);
  expect(check({ targets: [{ ...DESK, auth }] })).toBe(false);
  const messages = (check.errors ?? []).map(({ message }) => message);
  expect(messages).toEqual(expected.map((text) => expect.stringMatching(text) as string));
});
