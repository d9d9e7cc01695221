import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  OpenClawAgent,
  OpenClawGatewayAgent,
  type OpenClawOptions,
} from '@holdword/runtime/internal/openclaw';
import { openMemoryStore } from '@holdword/store';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ReaderMachine } from '../docs/reader-machine.ts';
import { runPage } from '../docs/run-page.ts';
import { allEvents, outline, say, sayAndLeave, sendForTask } from '../e2e/conversation.ts';
import type { Driver } from '../support/drivers/driver.ts';
import { openDriver } from '../support/drivers/open-driver.ts';
import { Gates } from '../support/gates.ts';
import { spawnHoldword } from '../support/spawn-holdword.ts';
import { startAgent } from '../support/start-agent.ts';
import type { TestAgent } from '../support/test-agent.ts';
import { startCuttableProxy } from './harness/cuttable-proxy.ts';
import { startGateway, type Gateway } from './harness/gateway.ts';
import { answerOf } from './harness/answer-of.ts';
import { createOpenClawHome, type OpenClawHome } from './harness/openclaw-home.ts';
import { PICTURE } from './harness/picture.ts';
import { ScriptedModel } from './harness/scripted-model.ts';

const JSON_RPC = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;

describe('OpenClaw via its gateway', () => {
  const gates = new Gates();
  let model: ScriptedModel;
  let home: OpenClawHome;
  let gateway: Gateway;
  let executor: OpenClawGatewayAgent;
  let agent: TestAgent;
  let driver: Driver;

  const options = (): OpenClawOptions => ({
    openclawPath: home.command,
    envVars: home.environment,
    gateway: { url: home.gatewayUrl, token: home.gatewayToken },
  });

  beforeAll(async () => {
    model = await ScriptedModel.start();
    home = await createOpenClawHome({ model });
    gateway = await startGateway(home);
    executor = new OpenClawGatewayAgent({ ...options(), timeout: Infinity }, { sessions: openMemoryStore() });
    agent = await startAgent({ executor });
    driver = await agent.driver(JSON_RPC);
  });

  afterAll(async () => {
    await agent.close();
    await executor.close();
    await gateway.kill();
    await model.close();
    await home.remove();
  });

  test('streams the answer, and returns it as artifact and as message with model and usage', async () => {
    model.when('story', async (answer) => {
      answer.text('Once upon');
      await gates.pass('story');
      answer.text(' a time.');
    });
    const seen: string[] = [];
    for await (const { event } of driver.stream(say('tell the story'))) {
      const line = outline([event])[0] ?? '';
      seen.push(line);
      if (line.includes('Once upon')) gates.open('story');
    }
    expect(seen).toEqual([
      'task submitted',
      'working',
      'working OpenClaw is working.',
      'artifact response Once upon',
      'artifact+ response  a time.',
      'artifact+! response ',
      'completed Once upon a time.',
    ]);
    const { tasks } = await driver.list({ includeArtifacts: true });
    expect(tasks[0]).toMatchObject({
      status: {
        message: {
          metadata: { via: 'gateway', provider: 'test', model: 'scripted', usage: { input: 11, output: 7 } },
        },
      },
    });
  });

  test('remembers a context, and keeps contexts apart', async () => {
    model.when('my colour', (answer) => answer.text('I see.'));
    const first = await sendForTask(driver, say('my colour is blue', { contextId: 'user:1/session:1' }));
    expect(first.status.state).toBe('TASK_STATE_COMPLETED');
    model.when('which colour', (answer, { conversation }) =>
      answer.text(conversation.includes('blue') ? 'blue' : 'unknown'),
    );
    const ask = async (contextId: string): Promise<string> =>
      answerOf(await sendForTask(driver, say('which colour is it', { contextId })));
    expect(await ask('user:1/session:1')).toBe('blue');
    expect(await ask('user-1-session-1')).toBe('unknown');
    expect(await ask('User:1/Session:1')).toBe('unknown');
  });

  test('sends only files of the workspace with the answer', async () => {
    await writeFile(join(home.workspace, 'dot.png'), Buffer.from(PICTURE, 'base64'));
    model.when('picture', (answer) =>
      answer.text(
        `Here it is.\nMEDIA:./dot.png\nMEDIA:https://example.com/x.pdf?a=1\nMEDIA:${home.folder}/openclaw.json`,
      ),
    );
    const task = await sendForTask(driver, say('a picture please'));
    expect(task.artifacts).toMatchObject([
      {
        parts: [
          { text: 'Here it is.' },
          { raw: PICTURE, mediaType: 'image/png', filename: 'dot.png' },
          { url: 'https://example.com/x.pdf?a=1', mediaType: 'application/pdf' },
        ],
        metadata: { omittedFiles: [{ name: 'openclaw.json' }] },
      },
    ]);
  });

  test('reports tools', async () => {
    model.when('use a tool', (answer, { toolResults }) => {
      if (toolResults.length === 0) answer.callTool('exec', { command: 'echo secret-of-the-tool' });
      else answer.text('Done.');
    });
    const events = outline(await allEvents(driver.stream(say('use a tool'))));
    expect(events).toContain('working Using tool exec.');
    expect(events).toContain('working Tool exec finished.');
    expect(events.at(-1)).toBe('completed Done.');
    expect(events.join('\n')).not.toContain('secret-of-the-tool');
  });

  test('fails when the model rejects the request', async () => {
    model.when('refused', (answer) => answer.rejectWith(400));
    const { status } = await sendForTask(driver, say('to be refused'));
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('LLM request failed') }] },
    });
  });

  test('messages without a context share the configured session', async () => {
    const named = { ...options(), sessionId: 'my-session' };
    const single = new OpenClawGatewayAgent(named, { sessions: openMemoryStore() });
    const other = await startAgent({ executor: single });
    onTestFinished(async () => {
      await other.close();
      await single.close();
    });
    const client = await other.driver(JSON_RPC);
    model.when('my animal', (answer) => answer.text('I see.'));
    model.when('which animal', (answer, { conversation }) =>
      answer.text(conversation.includes('a cat') ? 'a cat' : 'unknown'),
    );
    await sendForTask(client, say('my animal is a cat'));
    const task = await sendForTask(client, say('which animal is it'));
    expect(answerOf(task)).toBe('a cat');
    expect(task.contextId).toBe('my-session');
  });

  test('explains that it does not accept /reset', async () => {
    const { status } = await sendForTask(driver, say('/reset'));
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('begin with /reset or /new are not accepted') }] },
    });
  });

  test('a gateway that refuses the token is named, and the command is not tried instead', async () => {
    const warnings: string[] = [];
    const log = {
      info: () => {},
      warn: (line: string, about?: object) => warnings.push(`${line} ${JSON.stringify(about)}`),
      error: () => {},
    };
    const wrong = { ...options(), gateway: { url: home.gatewayUrl, token: 'wrong' } };
    const server = { processFolder: join(home.folder, 'processes'), sessions: openMemoryStore(), log };
    const either = await OpenClawAgent.open(wrong, server);
    const other = await startAgent({ executor: either });
    onTestFinished(async () => {
      await other.close();
      await either.close();
    });
    expect(either.transport).toBe('gateway');
    expect(warnings).toEqual([
      expect.stringContaining(`The OpenClaw gateway at ${home.gatewayUrl} refused the token`),
    ]);
    expect(warnings[0]).toContain('Check OPENCLAW_GATEWAY_TOKEN');
    const { status } = await sendForTask(await other.driver(JSON_RPC), say('with a wrong token'));
    const text = status.message?.parts[0]?.text ?? '';
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(text).toContain('Its operator has to check the address and token of the gateway');
    expect(text).not.toContain('127.0.0.1');
  });

  test('stops the run when the task is canceled', async () => {
    model.when('for ever', (answer) => {
      answer.text('Thinking');
      return answer.hang();
    });
    const { id } = await sendForTask(driver, sayAndLeave('work for ever'));
    await expect.poll(() => model.requestsWith('for ever').length).toBe(1);
    const task = await driver.cancel({ id });
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => model.requestsWith('for ever')[0]?.abandoned).toBe(true);
  });

  test('stops a run on timeout', async () => {
    model.when('without end', (answer) => answer.hang());
    const hasty = new OpenClawGatewayAgent({ ...options(), timeout: 2 }, { sessions: openMemoryStore() });
    const other = await startAgent({ executor: hasty });
    onTestFinished(async () => {
      await other.close();
      await hasty.close();
    });
    const { status } = await sendForTask(await other.driver(JSON_RPC), say('go on without end'));
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('timed out after 2 s and was stopped') }] },
    });
    await expect.poll(() => model.requestsWith('without end').every(({ abandoned }) => abandoned)).toBe(true);
  });

  test('continues a turn after a lost connection', async () => {
    const proxy = await startCuttableProxy(Number(new URL(home.gatewayUrl).port));
    const through = { url: `ws://127.0.0.1:${proxy.port}`, token: home.gatewayToken };
    const sessions = openMemoryStore();
    const cut = new OpenClawGatewayAgent({ ...options(), gateway: through }, { sessions });
    const other = await startAgent({ executor: cut });
    onTestFinished(async () => {
      await other.close();
      await cut.close();
      await proxy.close();
    });
    model.when('cut me', async (answer) => {
      answer.text('Before');
      await gates.pass('cut');
      answer.text(' and after.');
    });
    const sent = sendForTask(await other.driver(JSON_RPC), say('cut me off'));
    await gates.reached('cut');
    proxy.cut();
    gates.open('cut');
    const task = await sent;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(answerOf(task)).toBe('Before and after.');
    expect(model.requestsWith('cut me')).toHaveLength(1);
  });

  test('continues a turn after the server was killed', async () => {
    model.when('survive', async (answer) => {
      answer.text('Still');
      await gates.pass('survive');
      answer.text(' here.');
    });
    const { environment } = home;
    const data = await mkdtemp(join(home.folder, 'holdword-'));
    const commandLine = ['--agent', 'openclaw-gateway', '--data', data];
    const first = await spawnHoldword(commandLine, { environment });
    const { id } = await sendForTask(await openDriver(first.target, JSON_RPC), sayAndLeave('survive this'));
    await gates.reached('survive');
    await first.kill();
    const second = await spawnHoldword(commandLine, { environment });
    onTestFinished(async () => {
      await second.stop();
    });
    gates.open('survive');
    const client = await openDriver(second.target, JSON_RPC);
    await expect.poll(async () => (await client.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(answerOf(await client.get({ id }))).toBe('Still here.');
    expect(model.requestsWith('survive')).toHaveLength(1);
  });

  test('its guide works as written', async () => {
    model.when('Say hello.', (answer) => answer.text('Hello!'));
    const machine = await ReaderMachine.open(home.environment);
    onTestFinished(() => machine.close());
    await runPage(
      await readFile(join(import.meta.dirname, '..', '..', 'docs', 'guides', 'serve-openclaw.md'), 'utf8'),
      machine,
    );
    expect(model.requestsWith('Say hello.')).toHaveLength(1);
  });

  // Last: afterwards the gateway is another one.
  test('a turn fails with its gateway; the next one uses the command line, and one waits for the next gateway', async () => {
    const logged: string[] = [];
    const log = { info: (line: string) => logged.push(line), warn: () => {}, error: () => {} };
    const server = { processFolder: join(home.folder, 'processes'), sessions: openMemoryStore(), log };
    const either = await OpenClawAgent.open(options(), server);
    const other = await startAgent({ executor: either });
    onTestFinished(async () => {
      await other.close();
      await either.close();
    });
    const client = await other.driver(JSON_RPC);
    model.when('my number', (answer) => answer.text('Noted.'));
    const contextId = 'either-way';
    const noted = await sendForTask(client, say('my number is 42', { contextId }));
    expect(noted.status.message?.metadata).toMatchObject({ via: 'gateway' });

    model.when('to be lost', (answer) => answer.hang());
    const lost = sendForTask(client, say('to be lost'));
    await expect.poll(() => model.requestsWith('to be lost').length).toBe(1);
    await gateway.kill();
    expect((await lost).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('connection to OpenClaw was lost') }] },
    });

    model.when('which number', (answer, { conversation }) =>
      answer.text(conversation.includes('42') ? 'forty-two' : 'unknown'),
    );
    const remembered = await sendForTask(client, say('which number is it', { contextId }));
    expect(answerOf(remembered)).toBe('forty-two');
    expect(remembered.status.message?.metadata).toMatchObject({ via: 'cli' });
    expect(logged.filter((line) => line.startsWith('Using OpenClaw via'))).toEqual([
      'Using OpenClaw via its gateway.',
      expect.stringContaining('via its command'),
    ]);

    const starting = startGateway(home);
    await expect.poll(() => isListening(home.gatewayUrl), { timeout: 120_000, interval: 50 }).toBe(true);
    const waited = await sendForTask(client, say('which number is it', { contextId }));
    gateway = await starting;
    expect(answerOf(waited)).toBe('forty-two');
    expect(waited.status.message?.metadata).toMatchObject({ via: 'gateway' });
  });
});

/** Whether anything listens there, ready or not. */
async function isListening(url: string): Promise<boolean> {
  return fetch(url.replace(/^ws/, 'http')).then(
    () => true,
    () => false,
  );
}
