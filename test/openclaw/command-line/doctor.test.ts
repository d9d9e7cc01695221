import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine, type Complaint } from '../../e2e/doctor/examine.ts';
import { personIn } from '../../e2e/pairing/person.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { startPlugins, type PluginsGateway } from './start-plugins.ts';

const ACCOUNT = 'channels.a2a.accounts.default';
const PEERS = { ada: { keySha256: 'a'.repeat(64) } };

let stage: PluginsGateway;

beforeAll(async () => {
  stage = await startPlugins({ auth: { required: true, peers: PEERS } });
});

afterAll(() => stage.close());

/** What the doctor complains about, in the environment of the gateway. */
async function complaints(): Promise<readonly Complaint[]> {
  const { home } = stage;
  const words = ['--port', '0', '--grpc-port', 'off', '--data', join(home.folder, 'holdword')];
  return (await examine({ cwd: home.folder, environment: home.environment, words })).complaints;
}

/** What OpenClaw does with a command. It checks every change of its configuration. */
async function openclaw(...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await runOpenClaw(stage.home, ...words);
  if (code !== 0) throw new Error(`openclaw ${words.join(' ')} failed:\n${stdout}${stderr}`);
}

async function expectHealthy(): Promise<void> {
  await expect.poll(complaints, { timeout: 240_000, interval: 1_000 }).toEqual([]);
}

test('a gateway that works is not complained about', expectHealthy);

test.each([
  [
    'a binding of an account that does not exist',
    'openclaw-bindings',
    ['bindings', JSON.stringify([{ agentId: 'main', match: { channel: 'a2a', accountId: 'other' } }])],
  ],
  [
    'an address that the gateway does not listen on',
    'openclaw-bind',
    [`${ACCOUNT}.publicBaseUrl`, () => `"${stage.url.replace('127.0.0.1', '192.0.2.7')}"`],
  ],
  ['an account that answers everybody', 'openclaw-access', [`${ACCOUNT}.auth.required`, 'false']],
  ['an account that starts with its first peer', 'openclaw-accounts', [`${ACCOUNT}.auth.peers`, '{}']],
] as const)('%s, which OpenClaw accepts, is named', async (_name, check, [path, value]) => {
  const before = await readSetting(path);
  const text = typeof value === 'string' ? value : value();
  await openclaw('config', 'set', path, text, '--strict-json');
  const found = await complaints();
  if (before === undefined) await openclaw('config', 'unset', path);
  else await openclaw('config', 'set', path, before, '--strict-json');
  expect(found).toContainEqual(
    expect.objectContaining({ check, side: 'OpenClaw', fix: expect.any(String) as string }),
  );
});

test('the plugin disabled behind the gateway is named, with the command that mends it', async () => {
  await openclaw('plugins', 'disable', 'openclaw-a2a-outbound');
  const [found] = await complaints();
  expect(found).toMatchObject({
    check: 'openclaw-outbound-plugin',
    fix: 'openclaw plugins enable openclaw-a2a-outbound',
  });
  await openclaw(...(found?.fix ?? '').split(' ').slice(1));
  await expectHealthy();
});

test('the channel taken away by our command is given back by the fix that is named', async () => {
  const { folder, environment } = stage.home;
  const operator = personIn(folder, environment);
  expect((await operator.run('openclaw', 'disable')).code).toBe(0);
  const found = await complaints();
  expect(found).toContainEqual(
    expect.objectContaining({ fix: expect.stringContaining('holdword openclaw enable') as string }),
  );
  expect((await operator.run('openclaw', 'enable', '--yes')).code).toBe(0);
  await expectHealthy();
});

test('a gateway that was stopped is named', async () => {
  await stage.gateway.stop();
  expect(await complaints()).toEqual([
    expect.objectContaining({ check: 'openclaw-gateway', side: 'OpenClaw', fix: 'openclaw gateway run' }),
  ]);
});

/** The value in the configuration, as JSON; undefined if there is none. */
async function readSetting(path: string): Promise<string | undefined> {
  const { code, stdout } = await runOpenClaw(stage.home, 'config', 'get', path, '--json');
  return code === 0 ? stdout.trim() : undefined;
}
