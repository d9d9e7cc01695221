import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents, type A2AAgentsOptions } from '../agents/a2a-agents.ts';
import type { FileStore } from '../files/file-store.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { startPeer } from '../testing/start-peer.ts';
import { startWebServer } from '../testing/start-web-server.ts';
import { A2ATools } from './a2a-tools.ts';

const UNCERTAIN =
  'It is not known whether the message arrived. Do not send it again before you know that it did not arrive: look with listTasks, if you have that tool, or ask the user.';
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

function openTools(url: string, options: A2AAgentsOptions = {}): A2ATools {
  const agents = new A2AAgents({ peer: { url } }, options);
  onTestFinished(() => agents.close());
  return new A2ATools(new A2ASession(agents));
}

test.each([
  ['is too large', JSON.stringify({ name: 'x'.repeat(20_000) }), 'exceeds the limit'],
  ['is nested too deeply', `{"name":"deep","skills":${DEEP}}`, 'nested too deeply'],
])('if a card %s, no tool says that a message was received', async (_, card, reason) => {
  const { origin } = await startWebServer((_request, response) => response.end(card));
  const tools = openTools(origin, { maxResponseBytes: card.length > 100_000 ? 1_000_000 : 10_000 });
  for (const result of [await tools.getAgent('peer'), await tools.sendMessage('peer', 'hello')]) {
    expect(result['error_message']).toContain('The card of agent "peer" could not be fetched');
    expect(result['error_message']).toContain(reason);
    expect(result['error_message']).not.toMatch(/received|send the message again|maxResponseBytes/);
  }
});

test.each([
  ['id', { id: 'i'.repeat(50_000), contextId: 'c' }],
  ['contextId', { id: 't-1', contextId: 'c'.repeat(50_000) }],
])('a task with an endless %s is an invalid answer', async (field, ids) => {
  const task = { ...ids, status: { state: 'TASK_STATE_COMPLETED' } };
  const { url } = await startPeer({ version: '1.0', answer: () => ({ result: { task } }) });
  const { error_message } = await openTools(url).sendMessage('peer', 'hello');
  expect(error_message).toBe(
    `The agent sent an invalid response: its ${field} has 50000 characters, more than 1000. Report this to its operator. ` +
      UNCERTAIN,
  );
});

test.each(['getTask', 'cancelTask'] as const)('%s refuses the task of another id', async (name) => {
  const task = { id: 'other', contextId: 'c', status: { state: 'TASK_STATE_CANCELED' } };
  const { url } = await startPeer({ version: '1.0', answer: () => ({ result: task }) });
  await expect(openTools(url).session[name]('peer', 't-1')).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
    message: expect.stringContaining('expected the task "t-1", found "other"') as string,
  });
});

test('a task of A2A 0.3 can be canceled twice', async () => {
  const task = { kind: 'task', id: 't-1', contextId: 'c', status: { state: 'canceled' } };
  const { url } = await startPeer({
    answer: ({ method }) =>
      method === 'tasks/cancel'
        ? { error: { code: -32002, message: 'Task cannot be canceled' } }
        : { result: task },
  });
  expect(await openTools(url).cancelTask('peer', 't-1')).toMatchObject({ status: { state: 'canceled' } });
  task.status.state = 'completed';
  await expect(openTools(url).session.cancelTask('peer', 't-1')).rejects.toMatchObject({
    code: 'TASK_NOT_CANCELABLE',
  });
});

test('a message whose answer is nested too deeply may have been received', async () => {
  const answer = `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","parts":[{"data":${DEEP}}]}}}`;
  const { url } = await startPeer({ version: '1.0', answer: () => ({ status: 200, text: answer }) });
  const tools = openTools(url);
  expect(await tools.sendMessage('peer', 'hello')).toEqual({
    error: true,
    error_message:
      "The agent's response is nested too deeply (limit: 1000 levels). Report this to its operator. " +
      UNCERTAIN,
  });
  await expect(tools.session.sendMessage('peer', 'hello')).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
  });
});

test('a model learns what to do instead of what an agent does not support', async () => {
  const error = { code: -32601, message: 'Method not found' };
  const { url } = await startPeer({ answer: () => ({ error }) });
  const tools = openTools(url);
  expect(await tools.listTasks('peer')).toEqual({
    error: true,
    error_message:
      'The agent speaks A2A 0.3, which does not support ListTasks. This agent cannot list tasks. Call getTask with the ID of a task that you know.',
  });
  expect(await tools.cancelTask('peer', 't-1')).toEqual({
    error: true,
    error_message:
      'The agent answered with the error METHOD_NOT_FOUND: "Method not found". This agent cannot cancel the task, which keeps running. Call getTask to see what becomes of it.',
  });
});

test('an invalid answer is reported once', async () => {
  const { origin } = await startWebServer((_request, response) => response.end('{}'));
  const advice = 'invalid at "name". Tell the user that this agent does not work properly.';
  const { error_message } = await openTools(origin).getAgent('peer');
  expect(error_message).toBe(
    `The card of agent "peer" could not be fetched: The agent sent an invalid response: expected an agent card, ${advice}`,
  );
  const { url } = await startPeer({ version: '1.0', answer: () => ({ result: {} }) });
  expect(await openTools(url).getTask('peer', 't-1')).toEqual({
    error: true,
    error_message:
      'The agent sent an invalid response: expected a task, invalid at "id". Tell the user that this agent does not work properly.',
  });
});

test('getAgents says when to try again', async () => {
  const { origin } = await startWebServer((_request, response) =>
    response.writeHead(429, { 'Retry-After': '30' }).end('{"error":"busy"}'),
  );
  expect(await openTools(origin).getAgents()).toMatchObject({
    peer: {
      error: expect.stringMatching(/HTTP status 429: "busy"\. Try again in \d\d seconds\.$/) as string,
    },
  });
});

function file(text: string): object {
  return { raw: Buffer.from(text).toString('base64'), filename: `${text}.txt` };
}

test('an artifact with the name of the message does not hide it', async () => {
  const task = {
    id: 't-1',
    contextId: 'c',
    status: {
      state: 'TASK_STATE_COMPLETED',
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'the message' }, file('one')] },
    },
    artifacts: [{ artifactId: '_message', parts: [{ text: 'the artifact' }, file('other')] }],
  };
  const { url } = await startPeer({ version: '1.0', answer: () => ({ result: { task } }) });
  const agents = new A2AAgents({ peer: { url } });
  const saved: string[] = [];
  const fileStore: FileStore = {
    save(_taskId, { artifactId }) {
      saved.push(artifactId);
      return this.get('', artifactId);
    },
    get: (_taskId, artifactId) => Promise.resolve(saved.includes(artifactId) ? [`/files/${artifactId}`] : []),
    delete: () => Promise.resolve(),
  };
  onTestFinished(() => agents.close());
  const tools = new A2ATools(new A2ASession(agents, { fileStore }));
  const { status, artifacts } = await tools.sendMessage('peer', 'hello');
  expect(JSON.stringify(status)).toContain('/files/_message');
  expect(artifacts).toMatchObject([
    { artifactId: 'agent:_message', parts: [{}, { bytes: { _saved_to: ['/files/agent:_message'] } }] },
  ]);
  const text = (artifactId: string) => tools.viewTextArtifact('peer', 't-1', artifactId);
  expect(await text('_message')).toMatchObject({ parts: [{ text: 'the message' }] });
  expect(await text('agent:_message')).toMatchObject({ parts: [{ text: 'the artifact' }] });
});
