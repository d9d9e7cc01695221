import { readFile, writeFile } from 'node:fs/promises';
import { loadAgent, type AgentAdapter, type LoadAgentOptions } from '@holdword/runtime/adapter';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startGateway, type Gateway } from './harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from './harness/openclaw-home.ts';
import { ScriptedModel } from './harness/scripted-model.ts';

describe('OpenClaw over ACP and chat completions', () => {
  let model: ScriptedModel;
  let home: OpenClawHome;
  let gateway: Gateway;

  beforeAll(async () => {
    model = await ScriptedModel.start();
    home = await createOpenClawHome({ model });
    await openChatCompletions(home);
    gateway = await startGateway(home);
  });

  afterAll(async () => {
    await gateway.kill();
    await model.close();
    await home.remove();
  });

  async function load(options: LoadAgentOptions): Promise<AgentAdapter> {
    const agent = await loadAgent({ dataFolder: home.folder, ...options });
    onTestFinished(() => agent.close());
    return agent;
  }

  test('ACP: answers, remembers its context, and stops when canceled', async () => {
    const agent = await load({
      adapter: 'acp',
      command: `'${home.command}' acp`,
      envVars: home.environment,
      workingDirectory: home.workspace,
    });
    model.when('acp colour', (answer) => answer.text('I see.'));
    const first = await agent.handle({
      message: { contextId: 'acp', parts: [{ text: 'the acp colour is blue' }] },
      configuration: { returnImmediately: false },
    });
    expect(first).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'I see.' }] } },
    });
    model.when('which one', (answer, { conversation }) =>
      answer.text(conversation.includes('blue') ? 'It is blue.' : 'I do not know.'),
    );
    const second = await agent.handle({
      message: { contextId: 'acp', parts: [{ text: 'which one is it' }] },
      configuration: { returnImmediately: false },
    });
    expect(second).toMatchObject({ status: { message: { parts: [{ text: 'It is blue.' }] } } });

    model.when('acp for ever', (answer) => answer.hang());
    const third = await agent.handle('work in acp for ever');
    if (!('id' in third)) throw new Error('Expected a task.');
    await expect.poll(() => model.requestsWith('acp for ever').length, { timeout: 30_000 }).toBe(1);
    expect((await agent.cancelTask(third.id))?.status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => model.requestsWith('acp for ever')[0]?.abandoned, { timeout: 30_000 }).toBe(true);
  });

  test('chat completions: streams the answer with model and usage', async () => {
    vi.stubEnv('OPENCLAW_TEST_TOKEN', home.gatewayToken);
    onTestFinished(() => void vi.unstubAllEnvs());
    const agent = await load({
      adapter: 'openai',
      model: 'openclaw/main',
      baseUrl: `${home.gatewayUrl.replace(/^ws/, 'http')}/v1`,
      apiKeyVariable: 'OPENCLAW_TEST_TOKEN',
      asyncMode: false,
    });
    model.when('completions', (answer) => answer.text('By completions.'));
    expect(await agent.handle('answer by completions')).toMatchObject({
      parts: [{ text: 'By completions.' }],
      metadata: { finishReason: 'stop', model: expect.stringContaining('openclaw') },
    });
  });
});

/** They are disabled by default. */
async function openChatCompletions({ environment }: OpenClawHome): Promise<void> {
  const file = environment['OPENCLAW_CONFIG_PATH'] ?? '';
  const configuration = JSON.parse(await readFile(file, 'utf8')) as { gateway: object };
  const http = { endpoints: { chatCompletions: { enabled: true } } };
  await writeFile(file, JSON.stringify({ ...configuration, gateway: { ...configuration.gateway, http } }));
}
