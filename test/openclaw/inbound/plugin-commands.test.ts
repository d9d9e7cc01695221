import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { exampleAccount } from '@holdword/openclaw-a2a-inbound/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';

const PLUGIN = 'openclaw-a2a-inbound';

let model: ScriptedModel;
let home: OpenClawHome;
let accounts: Record<string, object>;

beforeAll(async () => {
  model = await ScriptedModel.start();
  home = await createOpenClawHome({ model });
  const { folder } = home;
  accounts = { default: exampleAccount(join(folder, 'tasks')) };
  // More than half of the file, which OpenClaw does not let shrink by that much.
  for (let number = 0; number < 6; number += 1) {
    const paths = { agentCardPath: `/${number}/card.json`, jsonRpcPath: `/${number}/jsonrpc` };
    accounts[`extra-${number}`] = { ...exampleAccount(join(folder, `tasks-${number}`)), ...paths };
  }
  await writeConfig({ ...(await readConfig()), channels: { a2a: { accounts } } });
}, 60_000);

afterAll(async () => {
  await model.close();
  await home.remove();
});

const configFile = (): string => join(home.folder, 'openclaw.json');
const keptFile = (): string => `${configFile()}.a2a.json5`;

interface Config extends Record<string, unknown> {
  readonly channels?: { readonly a2a?: unknown };
  readonly plugins?: { readonly entries?: Readonly<Record<string, { readonly enabled?: boolean }>> };
}

async function readConfig(): Promise<Config> {
  return JSON.parse(await readFile(configFile(), 'utf8')) as Config;
}

/** With a comment, as people write it. */
async function writeConfig(config: object): Promise<void> {
  await writeFile(configFile(), `// Ours\n${JSON.stringify(config, null, 2)}\n`);
}

async function holdword(...words: string[]): Promise<{ code: number | null; output: string }> {
  const run = new HoldwordProcess(['openclaw', ...words], {
    cwd: home.folder,
    environment: home.environment,
  });
  return { code: await run.ended, output: run.output() };
}

/** What OpenClaw has written about the plugin. */
async function isEnabled(): Promise<unknown> {
  const { plugins } = await readConfig();
  return plugins?.entries?.[PLUGIN]?.enabled;
}

test('OpenClaw refuses to install the plugin next to its accounts, and our command installs it', async () => {
  const { tarball } = await packedPlugin('openclaw-inbound');
  const before = await readFile(configFile(), 'utf8');
  const refused = await runOpenClaw(home, 'plugins', 'install', tarball, '--force', '--accept-capabilities');
  expect(refused.code).not.toBe(0);
  expect(`${refused.stdout}${refused.stderr}`).toContain('"accounts"');

  const failed = await holdword('install', join(home.folder, 'missing.tgz'), '--yes');
  expect(failed.code).toBe(1);
  expect(failed.output).toContain('The configuration is as it was.');
  expect(await readFile(configFile(), 'utf8')).toBe(before);
  expect(existsSync(keptFile())).toBe(false);

  const installed = await holdword('install', tarball, '--yes');
  expect(installed).toMatchObject({
    code: 0,
    output: expect.stringContaining('Put channels.a2a.accounts back'),
  });
  expect(await readConfig()).toMatchObject({ channels: { a2a: { accounts } } });
  expect(await isEnabled()).toBe(true);
});

test('our commands disable the plugin and enable it again', async () => {
  expect(await holdword('disable')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`The accounts are kept in ${keptFile()}`),
  });
  expect((await readConfig()).channels?.a2a).toBeUndefined();
  expect(await isEnabled()).toBe(false);

  expect(await holdword('enable')).toMatchObject({ code: 0 });
  expect(await readConfig()).toMatchObject({ channels: { a2a: { accounts } } });
  expect(await isEnabled()).toBe(true);
});

test('our commands work after somebody has set channels.a2a.enabled to false', async () => {
  await writeConfig({ ...(await readConfig()), channels: { a2a: { enabled: false, accounts } } });
  const writtenByHand = await readFile(configFile(), 'utf8');
  const refused = await runOpenClaw(home, 'config', 'validate');
  expect(refused.code).not.toBe(0);

  // Only its author knows whether the channel is to be off.
  expect(await holdword('enable')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/channels\.a2a\.enabled is false in .*Remove that line/s),
  });
  expect(await readFile(configFile(), 'utf8')).toBe(writtenByHand);

  expect(await holdword('disable')).toMatchObject({ code: 0 });
  expect(await isEnabled()).toBe(false);
  const accepted = await runOpenClaw(home, 'config', 'validate');
  expect(accepted.code).toBe(0);

  expect(await holdword('enable')).toMatchObject({ code: 0 });
  expect(await readConfig()).toMatchObject({ channels: { a2a: { accounts } } });
  expect(await isEnabled()).toBe(true);
  const again = await runOpenClaw(home, 'config', 'validate');
  expect(again.code).toBe(0);
});

test('our command removes the plugin, and the next installation has the accounts again', async () => {
  const { tarball } = await packedPlugin('openclaw-inbound');
  expect(await holdword('uninstall', '--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining('To use them again: holdword openclaw install SOURCE'),
  });
  expect(existsSync(join(home.stateFolder, 'extensions', PLUGIN))).toBe(false);

  expect(await holdword('install', tarball, '--yes')).toMatchObject({ code: 0 });
  expect(await readConfig()).toMatchObject({ channels: { a2a: { accounts } } });
});
