import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOpenClawCli, type OpenClawOptions } from '@holdword/runtime/internal/openclaw';
import { openMemoryStore } from '@holdword/store';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { say, sayAndLeave, sendForTask } from '../e2e/conversation.ts';
import type { Driver } from '../support/drivers/driver.ts';
import { openDriver } from '../support/drivers/open-driver.ts';
import { spawnHoldword } from '../support/spawn-holdword.ts';
import { startAgent } from '../support/start-agent.ts';
import { answerOf } from './harness/answer-of.ts';
import { createOpenClawHome, type OpenClawHome } from './harness/openclaw-home.ts';
import { PICTURE } from './harness/picture.ts';
import { ScriptedModel } from './harness/scripted-model.ts';

const JSON_RPC = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;

type Finally = (done: () => Promise<void>) => void;

async function serve(
  home: OpenClawHome,
  onTestFinished: Finally,
  options: OpenClawOptions = {},
): Promise<Driver> {
  const executor = await openOpenClawCli(
    { openclawPath: home.command, envVars: home.environment, ...options },
    { processFolder: join(home.folder, 'processes'), sessions: openMemoryStore() },
  );
  const agent = await startAgent({ executor });
  onTestFinished(async () => {
    await agent.close();
    await executor.close();
  });
  return agent.driver(JSON_RPC);
}

// Concurrent, because each call takes ten seconds; in separate homes, because one home allows one run at a time.
describe.concurrent('OpenClaw by its command line', () => {
  let model: ScriptedModel;

  beforeAll(async () => {
    model = await ScriptedModel.start();
  });

  afterAll(() => model.close());

  async function openHome(onTestFinished: Finally): Promise<OpenClawHome> {
    const home = await createOpenClawHome({ model });
    onTestFinished(() => home.remove());
    return home;
  }

  test('answers, sends files, remembers a context and keeps contexts apart', async ({
    expect,
    onTestFinished,
  }) => {
    const home = await openHome(onTestFinished);
    const driver = await serve(home, onTestFinished);
    model.when('my colour', (answer) => answer.text('I see.'));
    const first = await sendForTask(driver, say('my colour is blue', { contextId: 'Ada' }));
    const metadata = {
      via: 'cli',
      provider: 'test',
      model: 'scripted',
      usage: { input: 11, output: 7 },
    };
    expect(first).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'I see.' }], metadata } },
      artifacts: [{ name: 'response', parts: [{ text: 'I see.' }], metadata }],
    });

    await writeFile(join(home.workspace, 'dot.png'), Buffer.from(PICTURE, 'base64'));
    model.when('which colour', (answer, { conversation }) => {
      answer.text(conversation.includes('blue') ? 'It is blue.' : 'I do not know.\nMEDIA:./dot.png');
    });
    const [other, same] = await Promise.all(
      ['ada', 'Ada'].map((contextId) => sendForTask(driver, say('which colour is it', { contextId }))),
    );
    expect(same && answerOf(same)).toBe('It is blue.');
    expect(other?.artifacts?.[0]?.parts).toEqual([
      { text: 'I do not know.' },
      { raw: PICTURE, mediaType: 'image/png', filename: 'dot.png' },
    ]);
  });

  test('takes messages that are too long for a command line', async ({ expect, onTestFinished }) => {
    const driver = await serve(await openHome(onTestFinished), onTestFinished);
    model.when('long message', (answer, { userText }) =>
      answer.text(userText.includes('the end') ? 'I read it all.' : 'I read some of it.'),
    );
    const task = await sendForTask(driver, say(`long message ${'x'.repeat(150 * 1024)} the end`));
    expect(answerOf(task)).toBe('I read it all.');
  });

  test('fails when the model rejects the request', async ({ expect, onTestFinished }) => {
    // Longer than a turn of the command takes by itself, so that it is told.
    const driver = await serve(await openHome(onTestFinished), onTestFinished, { timeout: 3_600 });
    model.when('refused', (answer) => answer.rejectWith(400));
    const { status } = await sendForTask(driver, say('to be refused'));
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('LLM request failed') }] },
    });
  });

  test('is stopped when its task is canceled', async ({ expect, onTestFinished }) => {
    const driver = await serve(await openHome(onTestFinished), onTestFinished, { timeout: Infinity });
    model.when('for ever', (answer) => answer.hang());
    const { id } = await sendForTask(driver, sayAndLeave('work for ever'));
    await expect.poll(() => model.requestsWith('for ever').length).toBe(1);
    expect((await driver.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => model.requestsWith('for ever')[0]?.abandoned).toBe(true);
  });

  test('is stopped on timeout', async ({ expect, onTestFinished }) => {
    const driver = await serve(await openHome(onTestFinished), onTestFinished, { timeout: 2 });
    const { status } = await sendForTask(driver, say('take your time'));
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('timed out after 2 s and was stopped') }] },
    });
  });

  test('fails when the server is killed during a turn, and no process is left running', async ({
    expect,
    onTestFinished,
  }) => {
    const home = await openHome(onTestFinished);
    const { environment } = home;
    const data = await mkdtemp(join(home.folder, 'holdword-'));
    const commandLine = ['--agent', 'openclaw-cli', '--data', data];
    model.when('be killed', (answer) => answer.hang());
    const first = await spawnHoldword(commandLine, { environment });
    const { id } = await sendForTask(await openDriver(first.target, JSON_RPC), sayAndLeave('to be killed'));
    await expect.poll(() => model.requestsWith('be killed').length).toBe(1);
    await first.kill();
    const second = await spawnHoldword(commandLine, { environment });
    onTestFinished(async () => {
      await second.stop();
    });
    const task = await (await openDriver(second.target, JSON_RPC)).get({ id });
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('Interrupted') }] },
    });
    await expect.poll(() => model.requestsWith('be killed')[0]?.abandoned).toBe(true);
  });
});
