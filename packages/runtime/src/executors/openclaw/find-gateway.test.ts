import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findGateway } from './find-gateway.ts';

/** The environment of an OpenClaw with this configuration. */
async function configured(configuration: unknown): Promise<NodeJS.ProcessEnv> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-openclaw-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const text = typeof configuration === 'string' ? configuration : JSON.stringify(configuration);
  await writeFile(join(folder, 'openclaw.json'), text);
  return { OPENCLAW_STATE_DIR: folder };
}

const LOCAL = { gateway: { mode: 'local', port: 19_000, auth: { mode: 'token', token: 'configured' } } };

test.each([
  ['the configuration', LOCAL, {}, 'ws://127.0.0.1:19000', 'configured'],
  ['the default port', {}, {}, 'ws://127.0.0.1:18789', undefined],
  [
    'the usual port where the configuration is not plain JSON',
    '{ // five',
    {},
    'ws://127.0.0.1:18789',
    undefined,
  ],
  [
    'a gateway with TLS',
    { gateway: { tls: { enabled: true }, port: 1 } },
    {},
    'wss://127.0.0.1:1',
    undefined,
  ],
  [
    'a gateway elsewhere',
    { gateway: { mode: 'remote', remote: { url: 'wss://claw.example', token: 'far' } } },
    {},
    'wss://claw.example',
    'far',
  ],
  [
    'a token in a variable',
    { gateway: { auth: { token: '${CLAW}' } } },
    { CLAW: 'hidden' },
    'ws://127.0.0.1:18789',
    'hidden',
  ],
  [
    'the environment first',
    LOCAL,
    { OPENCLAW_GATEWAY_PORT: '19001', OPENCLAW_GATEWAY_TOKEN: 'environment' },
    'ws://127.0.0.1:19001',
    'environment',
  ],
  [
    'an address in the environment',
    LOCAL,
    { OPENCLAW_GATEWAY_URL: 'wss://e.example' },
    'wss://e.example',
    'configured',
  ],
])('finds %s', async (_, configuration, environment, url, token) => {
  const found = await findGateway(undefined, { ...(await configured(configuration)), ...environment });
  expect(found).toEqual({ url, token, isLocal: url.includes('127.0.0.1') });
});

test('options win over everything else', async () => {
  const environment = { ...(await configured(LOCAL)), OPENCLAW_GATEWAY_TOKEN: 'environment' };
  const given = { url: 'ws://localhost:1', token: 'given' };
  expect(await findGateway(given, environment)).toEqual({ ...given, isLocal: true });
});

test.each([
  ['ws://claw.example', 'Use a wss:// URL'],
  ['http://127.0.0.1:1', 'expected a ws:// or wss:// URL, found http://127.0.0.1:1'],
  ['nonsense', 'expected a ws:// or wss:// URL, found nonsense'],
])('rejects %s', async (url, message) => {
  await expect(findGateway({ url }, {})).rejects.toThrow(message);
});
