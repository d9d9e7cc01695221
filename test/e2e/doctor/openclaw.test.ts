import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { cardAt, examine, json, makeHome, startServer } from './examine.ts';

const SLOW = { timeout: 120_000 };
const PORTS = ['--port', '0', '--grpc-port', 'off'];
const [INBOUND, OUTBOUND] = ['openclaw-a2a-inbound', 'openclaw-a2a-outbound'];

interface Config {
  gateway: Record<string, unknown>;
  channels: { a2a: Record<string, unknown> };
  plugins: Record<string, unknown>;
  agents?: unknown;
  bindings?: unknown;
}

/** What a test changes of a set-up that works. */
interface Change {
  readonly config?: (config: Config) => unknown;
  /** The file of the configuration, in place of the object. */
  readonly text?: string;
  readonly mode?: number;
  readonly plugins?: readonly string[];
  /** What the gateway serves as the card; undefined if no gateway runs. */
  readonly card?: object | string | undefined;
}

/** A home with OpenClaw's configuration and plugins as OpenClaw writes them, and a gateway that answers. */
async function makeOpenClaw(change: Change): Promise<{ home: string; config: Config }> {
  const home = await makeHome();
  const card = 'card' in change ? change.card : cardAt('http://127.0.0.1');
  const port =
    card === undefined
      ? await freePort()
      : Number(
          new URL(
            await startServer((request, response) => {
              if (request.url === '/healthz') return json(response, 200, { ok: true });
              if (typeof card === 'string') return void response.end(card);
              json(response, 200, card);
            }),
          ).port,
        );
  const account = {
    publicBaseUrl: `http://127.0.0.1:${port}`,
    taskStore: { kind: 'sqlite', path: join(home, 'tasks') },
    auth: { required: true, peers: { ada: { keySha256: 'a'.repeat(64) } } },
  };
  await writeFile(join(home, 'key'), 'secret');
  const target = {
    alias: 'work',
    baseUrl: 'https://agent.example',
    auth: { type: 'bearer', token: { file: join(home, 'key') } },
  };
  const config: Config = {
    gateway: { port, bind: 'loopback' },
    channels: { a2a: { accounts: { default: account } } },
    plugins: {
      entries: {
        [INBOUND]: { enabled: true },
        [OUTBOUND]: { enabled: true, config: { enabled: true, targets: [target] } },
      },
    },
  };
  const changed = change.config?.(structuredClone(config)) ?? config;
  const state = join(home, '.openclaw');
  await mkdir(state);
  for (const plugin of change.plugins ?? [INBOUND, OUTBOUND])
    await mkdir(join(state, 'extensions', plugin), { recursive: true });
  const file = join(state, 'openclaw.json');
  await writeFile(file, change.text ?? `// Ours\n${JSON.stringify(changed, null, 2)}\n`);
  await chmod(file, change.mode ?? 0o600);
  return { home, config };
}

const withAccount = (change: object) => (config: Config) => {
  const { default: account } = config.channels.a2a['accounts'] as { default: object };
  config.channels.a2a['accounts'] = { default: { ...account, ...change } };
  return config;
};

const withPlugins = (change: object) => (config: Config) => ({
  ...config,
  plugins: { ...config.plugins, ...change },
});

const withOutbound = (entry: object) => (config: Config) => ({
  ...config,
  plugins: { entries: { [INBOUND]: { enabled: true }, [OUTBOUND]: entry } },
});

/** A set-up that is broken in one way, the check that has to name it, and a part of what mends it. */
const CASES: readonly (readonly [name: string, change: Change, check: string, fix: RegExp])[] = [
  [
    'a configuration that cannot be read',
    { text: '{ channels: ' },
    'openclaw-config',
    /openclaw config validate/,
  ],
  ['a configuration that others can read', { mode: 0o644 }, 'openclaw-permissions', /chmod 600/],
  [
    'accounts without the plugin',
    { plugins: [OUTBOUND] },
    'openclaw-inbound-plugin',
    /holdword openclaw install/,
  ],
  [
    'a plugin that is disabled',
    { config: withPlugins({ entries: { [INBOUND]: { enabled: false } } }) },
    'openclaw-inbound-plugin',
    /holdword openclaw enable/,
  ],
  [
    'a plugin that is not allowed',
    { config: withPlugins({ allow: [OUTBOUND] }) },
    'openclaw-inbound-plugin',
    /plugins\.allow/,
  ],
  [
    'all plugins switched off',
    { config: withPlugins({ enabled: false, entries: {} }) },
    'openclaw-inbound-plugin',
    /plugins\.enabled true/,
  ],
  [
    'the channel switched off next to accounts',
    {
      config: (config) => ({ ...config, channels: { a2a: { ...config.channels.a2a, enabled: false } } }),
    },
    'openclaw-bundled-channel',
    /Remove that line/,
  ],
  [
    'the bundled channel',
    {
      plugins: [],
      config: ({ gateway }) => ({ gateway, channels: { a2a: { peers: { ada: { token: 'x' } } } } }),
    },
    'openclaw-bundled-channel',
    /holdword openclaw install/,
  ],
  [
    'an account without an address',
    { config: withAccount({ publicBaseUrl: undefined }) },
    'openclaw-accounts',
    /publicBaseUrl https/,
  ],
  [
    'an account that requires a key and lets nobody in',
    { config: withAccount({ auth: { required: true } }) },
    'openclaw-accounts',
    /holdword pair --openclaw/,
  ],
  [
    'two accounts on one path',
    {
      config: (config) => {
        const { default: account } = config.channels.a2a['accounts'] as { default: object };
        config.channels.a2a['accounts'] = { default: account, second: account };
        return config;
      },
    },
    'openclaw-accounts',
    /another agentCardPath/,
  ],
  [
    'a store in a relative folder',
    { config: withAccount({ taskStore: { kind: 'sqlite', path: 'tasks' } }) },
    'openclaw-accounts',
    /taskStore\.path/,
  ],
  [
    'an agent that OpenClaw does not have',
    { config: withAccount({ defaultAgentId: 'nobody' }) },
    'openclaw-bindings',
    /Use one of: main/,
  ],
  [
    'a binding of an account that does not exist',
    {
      config: (config) => ({
        ...config,
        bindings: [{ agentId: 'main', match: { channel: 'a2a', accountId: 'other' } }],
      }),
    },
    'openclaw-bindings',
    /Use one of: default/,
  ],
  [
    'an account that is open to everybody',
    { config: withAccount({ auth: {} }) },
    'openclaw-access',
    /auth\.required true/,
  ],
  [
    'an outside address on a gateway for this machine only',
    {
      config: (config) =>
        withAccount({ publicBaseUrl: `http://192.0.2.7:${String(config.gateway['port'])}` })(config),
    },
    'openclaw-bind',
    /gateway\.bind lan/,
  ],
  [
    'a tool that is not switched on',
    { config: withOutbound({ enabled: true, config: { targets: [] } }) },
    'openclaw-targets',
    /config\.enabled true/,
  ],
  [
    'a target whose key is gone',
    {
      config: withOutbound({
        enabled: true,
        config: {
          enabled: true,
          targets: [
            {
              alias: 'x',
              baseUrl: 'https://a.example',
              auth: { type: 'bearer', token: { file: '/nowhere/key' } },
            },
          ],
        },
      }),
    },
    'openclaw-targets',
    /Write the key/,
  ],
  ['a gateway that does not run', { card: undefined }, 'openclaw-gateway', /openclaw gateway run/],
  [
    'a gateway whose control page answers',
    { card: '<!doctype html>' },
    'openclaw-gateway',
    /channels status/,
  ],
  [
    'a gateway with the bundled channel in front',
    {
      card: {
        name: 'main',
        supportedInterfaces: [
          { url: 'http://127.0.0.1/a2a/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      },
    },
    'openclaw-gateway',
    /openclaw enable/,
  ],
];

test.each(CASES)('%s', SLOW, async (_name, change, check, fix) => {
  const { home } = await makeOpenClaw(change);
  const { complaints } = await examine({ cwd: home, words: PORTS });
  expect(complaints).toEqual([
    expect.objectContaining({ check, side: 'OpenClaw', fix: expect.stringMatching(fix) as string }),
  ]);
});

test('an OpenClaw that works is not complained about', SLOW, async () => {
  const { home } = await makeOpenClaw({});
  const { code, complaints, checks } = await examine({ cwd: home, words: PORTS });
  expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
  expect(checks).toContain('openclaw-gateway');
});
