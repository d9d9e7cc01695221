import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { A2ATools, type A2ASession, type V03Event } from '@holdword/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../e2e/client/cutting-proxy.ts';
import { openSession } from '../e2e/client/open-session.ts';
import { taskOf, textsOf } from '../e2e/client/results.ts';
import { Gates } from '../support/gates.ts';
import { startGateway, type Gateway } from './harness/gateway.ts';
import { createOpenClawHome, type OpenClawHome } from './harness/openclaw-home.ts';
import { PICTURE } from './harness/picture.ts';
import { ScriptedModel } from './harness/scripted-model.ts';
import { warmUp } from './harness/warm-up.ts';

const PEER_TOKEN = 'token-of-the-peer-in-the-tests';
/** This many bytes are within the head of a response. */
const IN_THE_MIDDLE = 20;
/** Seconds in which a busy OpenClaw accepts a message, and an idle one answers it. */
const A_MOMENT = 3;
/** Seconds for the first answer of a freshly started OpenClaw on a busy machine. */
const LONG_ENOUGH = 150;

describe("the client and OpenClaw's bundled A2A channel", () => {
  const gates = new Gates();
  let model: ScriptedModel;
  let home: OpenClawHome;
  let gateway: Gateway;

  beforeAll(async () => {
    model = await ScriptedModel.start();
    home = await createOpenClawHome({
      model,
      configuration: {
        channels: {
          a2a: { enabled: true, rateLimitPerMinute: 0, peers: { holdword: { token: PEER_TOKEN } } },
        },
      },
    });
    gateway = await startGateway(home);
    await warmUp(home);
  });

  afterAll(async () => {
    await gateway.kill();
    await model.close();
    await home.remove();
  });

  const gatewayPort = (): number => Number(new URL(home.gatewayUrl).port);

  function open({ token = PEER_TOKEN, port = gatewayPort() } = {}): A2ASession {
    const custom_headers = { Authorization: 'Bearer ${PEER_TOKEN}' };
    return openSession(
      { url: `http://127.0.0.1:${port}`, custom_headers },
      {
        agents: { environment: { PEER_TOKEN: token } },
        sendMessageTimeout: LONG_ENOUGH,
        getTaskPollInterval: 0.5,
      },
    );
  }

  test('a model sees the allowed part of its card', async () => {
    const { agents } = open();
    const name = 'OpenClaw';
    const description = 'OpenClaw agent gateway using the Agent2Agent protocol.';
    const ask = (detail: string) => agents.getAgentForLlm('agent', detail);
    expect(await ask('name')).toEqual({ name });
    expect(await ask('basic')).toEqual({ name, description });
    expect(await ask('skills')).toEqual({ name, description, skills: ['main'] });
    expect(await ask('full')).toEqual({
      name,
      description,
      skills: [{ name: 'main', description: 'OpenClaw agent main.' }],
    });
    expect(await agents.getAgent('agent')).toMatchObject({
      agentCard: { url: `http://127.0.0.1:${gatewayPort()}/a2a/v1`, capabilities: { streaming: false } },
      customHeaders: { Authorization: `Bearer ${PEER_TOKEN}` },
    });
  });

  test('a message is answered, and the conversation continues in its context', async () => {
    const session = open();
    model.when('my colour', (answer) => answer.text('I see.'));
    const first = taskOf(await session.sendMessage('agent', 'my colour is blue'));
    expect(first.status.state).toBe('completed');
    expect(textsOf(first)).toEqual(['I see.']);
    model.when('which colour', (answer, { conversation }) =>
      answer.text(conversation.includes('blue') ? 'It is blue.' : 'I do not know.'),
    );
    const { contextId } = first;
    const second = taskOf(await session.sendMessage('agent', 'which colour is it', { contextId }));
    expect(second.contextId).toBe(contextId);
    expect(second.id).not.toBe(first.id);
    expect(textsOf(second)).toEqual(['It is blue.']);
    const elsewhere = taskOf(await session.sendMessage('agent', 'which colour is it'));
    expect(textsOf(elsewhere)).toEqual(['I do not know.']);
  });

  test('a task that exceeds the timeout is returned in its current state and polled later', async () => {
    const session = open();
    model.when('take long', async (answer) => {
      await gates.pass('long');
      answer.text('At last.');
    });
    const sent = taskOf(await session.sendMessage('agent', 'take long', { timeout: A_MOMENT }));
    expect(sent.status.state).toBe('working');
    await gates.reached('long');
    expect(await session.getTask('agent', sent.id, { timeout: A_MOMENT })).toMatchObject({
      id: sent.id,
      status: { state: 'working' },
    });
    const updates: V03Event[] = [];
    const following = session.getTask('agent', sent.id, { onUpdate: (update) => void updates.push(update) });
    gates.open('long');
    const done = await following;
    expect(done.status.state).toBe('completed');
    expect(textsOf(done)).toEqual(['At last.']);
    expect(await session.getSavedTask('agent', sent.id)).toEqual(done);
    expect(updates.at(-1)).toEqual(done);
    expect(model.requestsWith('take long')).toHaveLength(1);
  });

  test('it rejects cancel and list, and its work continues', async () => {
    const session = open();
    model.when('not to be stopped', async (answer) => {
      await gates.pass('unstoppable');
      answer.text('Done all the same.');
    });
    const sent = taskOf(await session.sendMessage('agent', 'not to be stopped', { timeout: A_MOMENT }));
    await gates.reached('unstoppable');
    await expect(session.cancelTask('agent', sent.id)).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: 'Unsupported operation; supported methods are SendMessage and GetTask',
    });
    await expect(session.listTasks('agent')).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    gates.open('unstoppable');
    expect(textsOf(await session.getTask('agent', sent.id))).toEqual(['Done all the same.']);
  });

  test('an unknown task is reported', async () => {
    await expect(open().getTask('agent', 'no-such-task')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  test('a wrong token is rejected before any work and never shown', async () => {
    const session = open({ token: 'a-wrong-secret' });
    const failure = await session.sendMessage('agent', 'let me in').catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining(
        'HTTP status 401: "Unauthorized; configure channels.a2a.peers with a matching Bearer token"',
      ) as string,
    });
    const result = await new A2ATools(session).sendMessage('agent', 'let me in');
    expect(result).toMatchObject({
      error: true,
      error_message: expect.stringContaining('the credentials for this agent must be fixed first') as string,
    });
    expect(JSON.stringify([String(failure), result])).not.toMatch(/a-wrong-secret|127\.0\.0\.1/);
    expect(model.requestsWith('let me in')).toHaveLength(0);
  });

  test('it reads text and data, and ignores files', async () => {
    const session = open();
    model.when('here are things', (answer) => answer.text('I looked.'));
    const file = {
      kind: 'file',
      file: { bytes: Buffer.from('in the file').toString('base64'), mimeType: 'text/plain' },
    } as const;
    const task = taskOf(
      await session.sendMessage('agent', [
        { kind: 'text', text: 'here are things' },
        { kind: 'data', data: { colour: 'blue' } },
        file,
      ]),
    );
    expect(textsOf(task)).toEqual(['I looked.']);
    const [asked] = model.requestsWith('here are things');
    expect(asked?.userText).toContain('{"colour":"blue"}');
    expect(asked?.userText).not.toContain('in the file');
    await expect(session.sendMessage('agent', [file])).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('it never ends a task that it answers with a file; the client returns its current state', async () => {
    const session = open();
    await writeFile(join(home.workspace, 'dot.png'), Buffer.from(PICTURE, 'base64'));
    model.when('a picture', (answer) => answer.text('Here it is.\nMEDIA:./dot.png'));
    const sent = taskOf(await session.sendMessage('agent', 'a picture please', { timeout: A_MOMENT }));
    await expect.poll(() => model.requestsWith('a picture').length).toBe(1);
    const later = await session.getTask('agent', sent.id, { timeout: A_MOMENT });
    expect(later).toMatchObject({ id: sent.id, status: { state: 'working' } });
    expect(textsOf(later)).toEqual([]);
  });

  test('a model error is the answer of a completed task', async () => {
    model.when('refused', (answer) => answer.rejectWith(400));
    const task = taskOf(await open().sendMessage('agent', 'to be refused'));
    expect(task.status.state).toBe('completed');
    expect(textsOf(task)).toEqual([expect.stringContaining('LLM request failed')]);
  });

  test('a task is followed across lost connections', async () => {
    let toBreak = 0;
    const proxy = await startCuttingProxy({
      port: gatewayPort(),
      nextCut: () => (toBreak-- > 0 ? IN_THE_MIDDLE : undefined),
    });
    const session = open({ port: proxy.port });
    model.when('cut me', async (answer) => {
      await gates.pass('cut');
      answer.text('Whole.');
    });
    const sending = session.sendMessage('agent', 'cut me off');
    await gates.reached('cut');
    toBreak = 3;
    proxy.cutAll();
    await expect.poll(() => toBreak).toBeLessThan(0);
    gates.open('cut');
    const task = taskOf(await sending);
    expect(task.status.state).toBe('completed');
    expect(textsOf(task)).toEqual(['Whole.']);
    expect(proxy.cuts()).toBeGreaterThanOrEqual(3);
    expect(model.requestsWith('cut me')).toHaveLength(1);
  });

  test('a message whose answer is lost is not processed twice', async () => {
    const connections: number[] = [];
    const proxy = await startCuttingProxy({
      port: gatewayPort(),
      // The first connection is for the card, the second one for the message.
      nextCut: () => (connections.push(connections.length + 1) === 2 ? IN_THE_MIDDLE : undefined),
    });
    const session = open({ port: proxy.port });
    model.when('be lost', (answer) => answer.text('Done once.'));
    await expect(session.sendMessage('agent', 'to be lost')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /the server closed the connection\. It may have been delivered/,
      ) as string,
    });
    await expect.poll(() => model.requestsWith('be lost').length).toBe(1);
    // For the same message id, OpenClaw creates a task, drops the message and never ends the task.
    const again = taskOf(await session.sendMessage('agent', 'to be lost', { timeout: A_MOMENT }));
    expect(again.status.state).toBe('working');
    expect(model.requestsWith('be lost')).toHaveLength(1);
  });

  test('a model gets its answer through the tools', async () => {
    model.when('for a model', (answer) => answer.text('For you.'));
    const reply = await new A2ATools(open()).sendMessage('agent', 'for a model');
    expect(reply).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'For you.' }] }],
    });
  });

  // Last: afterwards OpenClaw has lost its tasks.
  test('it can restart', async () => {
    const session = open();
    model.when('remember me', (answer) => answer.text('I will.'));
    const sent = taskOf(await session.sendMessage('agent', 'remember me'));
    await gateway.kill();
    await expect(session.sendMessage('agent', 'is anybody there')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('It was not sent. Check that the agent is running') as string,
    });
    const lastSeen = await session.getTask('agent', sent.id);
    expect(textsOf(lastSeen)).toEqual(['I will.']);
    expect(JSON.stringify(lastSeen.metadata)).toMatch(/as it was last seen\..*the connection was refused/);
    expect(await session.getSavedTask('agent', sent.id)).toEqual(sent);
    gateway = await startGateway(home);
    await warmUp(home);
    model.when('is anybody there', (answer) => answer.text('I am back.'));
    const answered = taskOf(await session.sendMessage('agent', 'is anybody there'));
    expect(textsOf(answered)).toEqual(['I am back.']);
    await expect(session.getTask('agent', sent.id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});
