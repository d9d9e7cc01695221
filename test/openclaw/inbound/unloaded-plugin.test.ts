import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject } from '@holdword/protocol/internal';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { GatewayChat } from '../harness/gateway-chat.ts';
import { startGateway } from '../harness/gateway.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { BERT } from './peers.ts';
import { ADA_KEY, ANONYMOUS, PATIENCE, startService, type Service } from './start-service.ts';

const BERT_KEY = { authorization: `Bearer ${BERT}` };
/** Turns before the kill, and a slow start on a busy machine. */
const START_MILLISECONDS = 300_000;
const PLUGIN = 'openclaw-a2a-inbound';
type Config = Record<string, unknown>;

/** Ways to lose the plugin between a crash and the next start: the configuration with which the gateway starts. */
const LOSSES: readonly { how: string; change: (config: Config, folder: string) => Promise<Config> }[] = [
  {
    how: 'is disabled',
    change: async ({ channels: _channels, plugins, ...rest }) => ({
      ...rest,
      plugins: { ...asObject(plugins), entries: { [PLUGIN]: { enabled: false } } },
    }),
  },
  {
    how: 'is uninstalled',
    change: async ({ channels: _channels, plugins: _plugins, ...rest }) => rest,
  },
  {
    how: 'fails to load',
    change: async (config, folder) => ({
      ...config,
      plugins: { load: { paths: [await brokenPlugin(folder)] }, entries: { [PLUGIN]: { enabled: true } } },
    }),
  },
];

/** A copy of the plugin that throws when it is imported. */
async function brokenPlugin(folder: string): Promise<string> {
  const broken = join(folder, 'broken-plugin');
  await cp((await packedPlugin('openclaw-inbound')).folder, broken, { recursive: true });
  const manifest = JSON.parse(await readFile(join(broken, 'package.json'), 'utf8')) as {
    openclaw: { extensions: string[] };
  };
  for (const entry of manifest.openclaw.extensions) {
    await writeFile(join(broken, entry), "throw new Error('This plugin is broken.');\n");
  }
  return broken;
}

describe('sessions that a crash interrupted', () => {
  let service: Service;
  let configFile: string;
  let config: string;
  const owner = unique('owner');
  const stranger = unique('stranger');
  const [bert, ada] = [unique('bert'), unique('ada')];
  const callers = [stranger, bert, ada];
  const tasks = new Map<string, string>();
  const leftBehind = (word: string): string => join(service.home.workspace, `left-behind-by-${word}`);
  const crashed = (): string => join(service.home.folder, 'state-after-crash');

  beforeAll(async () => {
    service = await startService();
    const { home, model } = service;
    configFile = home.environment['OPENCLAW_CONFIG_PATH'] ?? '';
    model.when(owner, (answer) => answer.hang());
    for (const word of [stranger, bert]) service.hangOn(word);
    // The agent's tool runs when the gateway is killed.
    model.when(ada, (answer) => {
      answer.text('Half an');
      answer.callTool('exec', { command: 'sleep 600' });
    });
    const chat = await GatewayChat.open(home);
    await chat.say(`remember ${owner}`);
    const called: unknown = expect.arrayContaining([expect.objectContaining({ name: 'tool-progress' })]);
    const begun = [
      service.begin(`please ${stranger}`, ANONYMOUS),
      service.begin(`please ${bert}`, BERT_KEY),
      service.begin(`please ${ada}`, ADA_KEY, called),
    ];
    for (const [index, { id }] of (await Promise.all(begun)).entries()) tasks.set(callers[index] ?? '', id);
    await vi.waitFor(() => expect(model.requestsWith(owner)).toHaveLength(1), PATIENCE);
    await service.kill();
    chat.close();
    config = await readFile(configFile, 'utf8');
    await cp(home.stateFolder, crashed(), { recursive: true });
    // From now on, the model misuses every tool that it is offered.
    for (const word of [owner, ...callers]) {
      model.when(word, (answer, { toolResults }) => {
        if (toolResults.length === 0) answer.callTool('exec', { command: `touch ${leftBehind(word)}` });
        else answer.text('Done.');
      });
    }
  }, START_MILLISECONDS);

  afterAll(() => service.close());

  /** Starts a gateway as after the crash, and returns what the model is asked from then on. */
  async function startAfterCrash(changed: string) {
    const { home, model } = service;
    await rm(home.stateFolder, { recursive: true });
    await cp(crashed(), home.stateFolder, { recursive: true });
    await writeFile(configFile, changed);
    for (const word of [owner, ...callers]) await rm(leftBehind(word), { force: true });
    const before = new Map([owner, ...callers].map((word) => [word, model.requestsAbout(word).length]));
    return (word: string) => model.requestsAbout(word).slice(before.get(word));
  }

  describe.each(LOSSES)('when the plugin $how', ({ change }) => {
    test('are not resumed, unlike those of the owner', async () => {
      const { home } = service;
      const changed = await change(JSON.parse(config) as Config, home.folder);
      const askedAbout = await startAfterCrash(JSON.stringify(changed));
      const gateway = await startGateway(home);
      onTestFinished(() => gateway.kill());
      // OpenClaw resumes sessions in the order of their keys, so the owner's comes last.
      await expect.poll(() => existsSync(leftBehind(owner))).toBe(true);
      for (const word of callers) {
        expect(askedAbout(word)).toEqual([]);
        expect(existsSync(leftBehind(word))).toBe(false);
      }
    });
  });

  describe('when the plugin is there', () => {
    test('are continued by their tasks: once, with the tools of the caller, unless tools had run', async () => {
      const askedAbout = await startAfterCrash(config);
      await service.start();
      const taskOf = (word: string, headers: object) => service.get(tasks.get(word) ?? '', headers);
      await expect.poll(() => existsSync(leftBehind(owner))).toBe(true);
      await expect
        .poll(() => taskOf(stranger, ANONYMOUS))
        .toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
      await expect
        .poll(() => taskOf(bert, BERT_KEY))
        .toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
      await expect
        .poll(() => taskOf(ada, ADA_KEY))
        .toMatchObject({
          status: {
            state: 'TASK_STATE_FAILED',
            message: {
              parts: [{ text: expect.stringContaining('Recorded tool calls: exec (') }],
            },
          },
        });
      // The model called a tool that does not exist, and was told so.
      expect(askedAbout(stranger).map(({ tools }) => tools)).toEqual([[], []]);
      expect(askedAbout(bert).map(({ tools }) => tools)).toEqual([['read'], ['read']]);
      expect(askedAbout(ada)).toEqual([]);
      for (const word of callers) expect(existsSync(leftBehind(word))).toBe(false);
    });
  });
});
