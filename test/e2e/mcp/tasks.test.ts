import { join } from 'node:path';
import type { Executor } from '@holdword/runtime';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { SCRIPTED_CARD } from '../../support/scripted-agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startSdkAgent } from '../client/start-sdk-agent.ts';
import { startTestAgent } from '../tools/open-tools.ts';
import { CARRIERS, connectMcp, resultOf } from './connect-mcp.ts';
import { connectTaskHost, type TaskHost, WITH_TASKS } from './task-host.ts';

/** A real agent, and what `holdword mcp` needs to know of it. */
async function startScene(options: Parameters<typeof startTestAgent>[0] = {}) {
  const agent = await startTestAgent(options);
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return { agent, words: ['--agent', `agent=${agent.target.baseUrl}`, '--data', join(folder.path, 'data')] };
}

function send(host: TaskHost, message: string) {
  return host.session.callTool('sendMessage', { agentId: 'agent', message });
}

/** The parsed result of the tool that a task ended with. */
async function settled(execution: Awaited<ReturnType<typeof send>>): Promise<Record<string, unknown>> {
  const { outcome } = await execution.settle();
  return resultOf(resultFromTaskOutcome(outcome) as never);
}

async function taskOf(host: TaskHost, taskId: string): Promise<Record<string, JsonValue>> {
  const answer = await host.call('tasks/get', { taskId });
  if (answer.kind === 'error') throw new Error(answer.error.message);
  return answer.result as Record<string, JsonValue>;
}

describe.each(CARRIERS)('over %s', (carrier) => {
  test('a call becomes a task, which is polled to its result', async () => {
    const { agent, words } = await startScene();
    const host = await connectTaskHost(words, { carrier });
    expect(host.client.getServerCapabilities()?.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
    const execution = await send(host, 'status thinking; wait gate; artifact answer 42; complete done');
    expect(execution.kind).toBe('task');
    expect(host.received[0]).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{64}$/),
      status: 'working',
      ttlMs: 7 * 24 * 60 * 60 * 1000,
      pollIntervalMs: 500,
    });
    const { taskId } = execution.handle ?? { taskId: '' };
    await waitUntil(
      'the progress',
      async () => (await taskOf(host, taskId))['statusMessage'] === 'working: thinking',
    );
    agent.gates.open('gate');
    const { status, artifacts } = await settled(execution);
    expect({ status, artifacts }).toMatchObject({
      status: { state: 'completed', message: 'done' },
      artifacts: [{ artifactId: 'answer', parts: [{ kind: 'text', text: '42' }] }],
    });
  });

  test('a task survives kill -9 of the server: question, answer and result', async () => {
    const { agent, words } = await startScene();
    const asked: JsonValue[] = [];
    const onElicitation = (params: Readonly<Record<string, JsonValue>>) => {
      asked.push({ ...params });
      return { action: 'accept' as const, content: { answer: 'wait second; complete hello Ada' } };
    };
    const first = await connectTaskHost(words, { carrier });
    const execution = await send(first, 'wait first; ask Who are you?');
    if (execution.kind !== 'task') throw new Error('Expected a task.');
    const reference = execution.serializeReference();
    await agent.gates.reached('first');
    await waitUntil('the task of the agent to be known', async () => {
      return (await taskOf(first, execution.handle.taskId))['statusMessage'] !== undefined;
    });
    await first.kill();

    agent.gates.open('first');
    const second = await connectTaskHost(words, { carrier, onElicitation });
    const resumed = await second.session.resumeTask(reference);
    const settling = settled(resumed);
    await agent.gates.reached('second');
    expect(asked).toEqual([
      {
        mode: 'form',
        message: 'The agent "agent" asks: Who are you?',
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer', minLength: 1 } },
          required: ['answer'],
        },
      },
    ]);
    await second.kill();
    await settling.catch(() => undefined);

    const third = await connectTaskHost(words, { carrier });
    agent.gates.open('second');
    const result = await settled(await third.session.resumeTask(reference));
    expect(result).toMatchObject({ status: { state: 'completed', message: 'hello Ada' } });
    // The result stays, for every request until it expires, and with another process.
    await third.kill();
    const fourth = await connectTaskHost(words, { carrier });
    expect(await settled(await fourth.session.resumeTask(reference))).toEqual(result);
  });

  test('canceling a task cancels the task of the agent', async () => {
    const { agent, words } = await startScene();
    const host = await connectTaskHost(words, { carrier });
    const execution = await send(host, 'wait never');
    await agent.gates.reached('never');
    await execution.cancel();
    await agent.gates.abandoned('never');
    const { outcome } = await execution.settle();
    expect(outcome.status).toBe('cancelled');
  });

  test('what fails at the agent is a result, as without tasks', async () => {
    const { words } = await startScene();
    const host = await connectTaskHost(words, { carrier });
    expect(await settled(await send(host, 'fail no luck'))).toMatchObject({
      status: { state: 'failed', message: 'no luck' },
    });
    const missing = await host.session.callTool('getTask', { agentId: 'agent', taskId: 'nowhere' });
    expect(missing.kind).toBe('task');
    const { outcome } = await missing.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Check the agent id and the task id') as string }],
    });
  });

  test('other requests and hosts are answered as without the extension', async () => {
    const { words } = await startScene();
    const host = await connectTaskHost(words, { carrier });
    const plain = await connectMcp(words.slice(0, 2), { carrier, era: 'auto' });
    onTestFinished(() => plain.close());
    expect(plain.client.getServerCapabilities()).not.toHaveProperty('extensions');
    const input = { name: 'getTask', arguments: { agentId: 'agent', taskId: 'nowhere' } };
    const withoutTasks = await plain.client.callTool(input);
    for (const capabilities of [{}, { extensions: {} }, { elicitation: {} }]) {
      const { result } = (await host.call('tools/call', input, capabilities)) as { result: JsonValue };
      expect(result).toMatchObject({ resultType: 'complete', content: withoutTasks.content, isError: true });
      expect(Object.keys(result as object).toSorted()).toEqual(['_meta', 'content', 'isError', 'resultType']);
    }
    const refused = {
      kind: 'error',
      error: { code: -32021, data: { requiredCapabilities: { extensions: {} } } },
    };
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      expect(await host.call(method, { taskId: 'x', inputResponses: {} }, {})).toMatchObject(refused);
    }
    // What needs no waiting is answered at once, and so are wrong arguments.
    const agents = await host.call('tools/call', { name: 'getAgents', arguments: {} });
    expect(agents).toMatchObject({ result: { resultType: 'complete' } });
    const wrong = await host.call('tools/call', { name: 'sendMessage', arguments: { agentId: 'agent' } });
    expect(wrong).toMatchObject({ result: { resultType: 'complete', isError: true } });
  });

  test('hosts of the 2025 revision see no difference', async () => {
    const { words } = await startScene();
    const seen = await Promise.all(
      [words, words.slice(0, 2)].map(async (each) => {
        const connection = await connectMcp(each, { carrier, era: 'legacy' });
        onTestFinished(() => connection.close());
        const { client } = connection;
        const sent = await client.callTool({
          name: 'sendMessage',
          arguments: { agentId: 'agent', message: 'message hello' },
        });
        const get = client.request({ method: 'tasks/get', params: { taskId: 'x' } }, z.unknown());
        const refusal = await get.then(
          () => 'answered',
          (error: Error) => error.message,
        );
        const tools = await client.listTools();
        const { kind, parts } = resultOf(sent);
        return {
          capabilities: client.getServerCapabilities(),
          tools,
          kind,
          parts,
          keys: Object.keys(sent),
          refusal,
        };
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.refusal).toMatch(/method not found/i);
  });
});

/** Asks for a booking, then for a login, and returns what it was told. */
const bookingAgent: Executor = {
  card: SCRIPTED_CARD,
  async execute(turn, sink) {
    const said = (turn.task.history ?? []).filter(({ role }) => role === 'ROLE_USER');
    if (said.length === 1) {
      const properties = { city: { type: 'string' }, nights: { type: 'integer', minimum: 1 } };
      const schema = { type: 'object', properties, required: ['city'] };
      return sink.askInput([{ text: 'Which trip?' }, { data: { schema } }]);
    }
    if (said.length === 2) {
      return sink.askAuth([{ text: 'Log in.' }, { data: { url: 'https://login.example/device' } }]);
    }
    await sink.artifact({ artifactId: 'booking', parts: said[1]?.parts ?? [] });
    return sink.complete('Booked.');
  },
};

test('a schema becomes a form, a login becomes a URL, and both answers reach the task', async () => {
  const { words } = await startScene({ executor: bookingAgent });
  const asked: Readonly<Record<string, JsonValue>>[] = [];
  const host = await connectTaskHost(words, {
    carrier: 'stdio',
    onElicitation: (params) => {
      asked.push(params);
      return params['mode'] === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: { city: 'Bern', nights: 2 } };
    },
  });
  const result = await settled(await send(host, 'book a trip'));
  expect(asked).toEqual([
    {
      mode: 'form',
      message: 'The agent "agent" asks: Which trip?',
      requestedSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, nights: { type: 'integer', minimum: 1 } },
        required: ['city'],
      },
    },
    {
      mode: 'url',
      message: 'The agent "agent" asks you to authenticate: Log in.',
      url: 'https://login.example/device',
    },
  ]);
  expect(result).toMatchObject({
    status: { state: 'completed', message: 'Booked.' },
    artifacts: [{ parts: [{ kind: 'data', data: { city: 'Bern', nights: 2 } }] }],
  });
});

test('a task is visible to its caller only', async () => {
  const { words } = await startScene();
  const host = await connectTaskHost(words, { carrier: 'http', token: 'one' });
  const execution = await send(host, 'wait never');
  const { taskId } = execution.handle ?? { taskId: '' };
  expect(await taskOf(host, taskId)).toMatchObject({ status: 'working' });
  const other = await connectTaskHost(words, { carrier: 'http', token: 'two' });
  const stdio = await connectTaskHost(words, { carrier: 'stdio' });
  const unknown = {
    kind: 'error',
    error: { code: -32602, message: expect.stringMatching(/^There is no task/) },
  };
  for (const stranger of [other, stdio]) {
    expect(await stranger.call('tasks/get', { taskId })).toMatchObject(unknown);
    expect(await stranger.call('tasks/cancel', { taskId })).toMatchObject(unknown);
    expect(await stranger.call('tasks/update', { taskId, inputResponses: {} })).toMatchObject(unknown);
  }
  for (const wrong of ['', 'x', '../tasks/x', `${taskId}0`, `zzzzzzzz-${'0'.repeat(64)}`]) {
    expect(await host.call('tasks/get', { taskId: wrong })).toMatchObject(unknown);
  }
  expect(await host.call('tools/call', { name: 'getAgents', arguments: {} }, WITH_TASKS)).toMatchObject({
    kind: 'result',
  });
});

test('an answer is asked for once, although the agent shows its question until it gets to work', async () => {
  const { url, script } = await startSdkAgent({
    interfaces: [{ binding: 'JSONRPC', version: '1.0' }],
    streaming: true,
    isUndated: true,
  });
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const words = ['--agent', `agent=${url}`, '--data', join(folder.path, 'data')];
  const asked: unknown[] = [];
  const onElicitation = ({ message }: Readonly<Record<string, JsonValue>>) => {
    asked.push(message);
    return { action: 'accept' as const, content: { answer: 'wait gate; artifact a blue' } };
  };
  const first = await connectTaskHost(words, { carrier: 'stdio', onElicitation });
  const execution = await send(first, 'ask Which one?');
  if (execution.kind !== 'task') throw new Error('Expected a task.');
  const settling = settled(execution);
  await script.gates.reached('gate');
  await waitUntil('the answer to be known to have arrived', async () => {
    const { status, statusMessage } = await taskOf(first, execution.handle.taskId);
    return status === 'working' && statusMessage === 'input-required: Which one?';
  });
  // Another process does not take the question for a new one either.
  await first.kill();
  await settling.catch(() => undefined);
  const second = await connectTaskHost(words, { carrier: 'stdio', onElicitation });
  const resumed = settled(await second.session.resumeTask(execution.serializeReference()));
  await waitUntil('the task to be followed', async () => {
    return (await taskOf(second, execution.handle.taskId))['statusMessage'] !== undefined;
  });
  script.gates.open('gate');
  expect(await resumed).toMatchObject({ status: { state: 'completed' }, artifacts: [{ artifactId: 'a' }] });
  expect(asked).toEqual(['The agent "agent" asks: Which one?']);
});
