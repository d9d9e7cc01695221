import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { ERAS, resultOf as toolResult } from '../mcp/connect-mcp.ts';
import { openTaskHost, type TaskHost, type TaskHostOptions } from '../mcp/task-host.ts';
import { FileGate } from '../replicas/file-gate.ts';
import { registerAgent, type HubAgent } from './hub-agents.ts';
import { startHub, type RunningHub } from './start-hub.ts';

watchForLeaks();

const AGENT = join(import.meta.dirname, 'agents', 'patient-agent.ts');

/** A hub whose agent takes its time, and an agent that is registered there. */
async function startScene() {
  const folder = await temporaryFolder();
  const hub = await startHub({ words: ['--agent', AGENT] });
  const scene = { hub, gate: new FileGate(join(folder.path, 'gate')) };
  onTestFinished(async () => {
    await scene.hub.stop();
    await folder.remove();
  });
  return { scene, agent: await registerAgent(hub, 'runner-01') };
}

function transportOf(hub: RunningHub, { headers }: Pick<HubAgent, 'headers'>) {
  return new StreamableHTTPClientTransport(new URL(`${hub.url}/v1/mcp`), { requestInit: { headers } });
}

function connect(
  hub: RunningHub,
  agent: Pick<HubAgent, 'headers'>,
  onElicitation?: TaskHostOptions['onElicitation'],
): Promise<TaskHost> {
  return openTaskHost(
    { transport: transportOf(hub, agent), kill: async () => {} },
    onElicitation && { onElicitation },
  );
}

async function taskOf(host: TaskHost, taskId: string): Promise<Record<string, JsonValue>> {
  const answer = await host.call('tasks/get', { taskId });
  if (answer.kind === 'error') throw new Error(answer.error.message);
  return answer.result as Record<string, JsonValue>;
}

/** The parsed result of the tool that a task ended with. */
async function settled(execution: Awaited<ReturnType<TaskHost['session']['callTool']>>) {
  const { outcome } = await execution.settle();
  return toolResult(resultFromTaskOutcome(outcome) as never);
}

test('a call that waits becomes a task, which survives kill -9 of the hub', async () => {
  const { scene, agent } = await startScene();
  const first = await connect(scene.hub, agent);
  expect(first.client.getServerCapabilities()?.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
  const input = { note: `Wait at gate ${scene.gate.file} please`, session_id: agent.sessionId };
  const execution = await first.session.callTool('handoff_packet', input);
  if (execution.kind !== 'task') throw new Error('Expected a task.');
  expect(first.received[0]).toMatchObject({
    resultType: 'task',
    taskId: expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{64}$/),
    status: 'working',
    ttlMs: 7 * 24 * 60 * 60 * 1000,
    pollIntervalMs: 500,
  });
  const reference = execution.serializeReference();
  expect(await taskOf(first, execution.handle.taskId)).toMatchObject({ status: 'working' });
  await first.close();

  await scene.hub.process.kill();
  scene.hub = await scene.hub.restart();
  const second = await connect(scene.hub, agent);
  expect(await taskOf(second, execution.handle.taskId)).toMatchObject({ status: 'working' });
  scene.gate.open();
  const result = await settled(await second.session.resumeTask(reference));
  expect(result).toMatchObject({
    answer: 'Through the gate.',
    session_id: agent.sessionId,
    session_resolution: { source: 'params.session_id|sessionId' },
    status: { state: 'completed' },
    next_action: expect.any(String),
    handoff_packet: { evidence: expect.any(Object) },
  });
  // One message, and one task: the answer is made again, the message is not.
  const { body } = await scene.hub.rpc(
    'ListTasks',
    { contextId: agent.sessionId },
    { ...agent.headers, 'A2A-Version': '1.0' },
  );
  expect(body).toMatchObject({ result: { totalSize: 1, tasks: [{ id: result['task_id'] }] } });
  // It stays as it was, also for the next process.
  scene.hub = await scene.hub.restart();
  const third = await connect(scene.hub, agent);
  expect(await settled(await third.session.resumeTask(reference))).toEqual(result);
});

test('a question becomes a form, a login a URL, and both answers reach the task', async () => {
  const { scene, agent } = await startScene();
  const asked: Readonly<Record<string, JsonValue>>[] = [];
  const host = await connect(scene.hub, agent, (params) => {
    asked.push(params);
    return params['mode'] === 'url'
      ? { action: 'accept' }
      : { action: 'accept', content: { city: 'Bern', nights: 2 } };
  });
  const result = await settled(await host.session.callTool('reflect', { reflection: 'book a trip' }));
  expect(asked).toMatchObject([
    { mode: 'form', message: 'The agent "hub" asks: Which trip?', requestedSchema: { required: ['city'] } },
    {
      mode: 'url',
      message: 'The agent "hub" asks you to authenticate: Log in.',
      url: 'https://login.example/device',
    },
  ]);
  expect(result).toMatchObject({
    answer: 'Booked {"city":"Bern","nights":2}.',
    status: { state: 'completed' },
  });
});

test('an answer that does not fit is refused, and a question that is declined is the result', async () => {
  const { scene, agent } = await startScene();
  const host = await connect(scene.hub, agent, () => ({ action: 'decline' }));
  const execution = await host.session.callTool('reflect', { reflection: 'book a trip' });
  if (execution.kind !== 'task') throw new Error('Expected a task.');
  const { taskId } = execution.handle;
  const wrong = { 'question-1': { action: 'accept', content: { nights: 'two' } } };
  expect(await host.call('tasks/update', { taskId, inputResponses: wrong })).toMatchObject({
    kind: 'error',
    error: { code: -32602, message: expect.stringContaining('city') },
  });
  expect(
    await host.call('tasks/update', { taskId, inputResponses: { other: { action: 'accept' } } }),
  ).toMatchObject({
    kind: 'result',
  });
  expect(await taskOf(host, taskId)).toMatchObject({ status: 'input_required' });
  expect(await settled(execution)).toMatchObject({
    answer: 'Which trip?',
    status: { state: 'input-required' },
  });
});

test('canceling a task cancels the task of the agent', async () => {
  const { scene, agent } = await startScene();
  const host = await connect(scene.hub, agent);
  const execution = await host.session.callTool('reflect', { reflection: `gate ${scene.gate.file}` });
  await waitUntil('the agent at its gate', () => scene.gate.isReached);
  await execution.cancel();
  expect((await execution.settle()).outcome.status).toBe('cancelled');
});

test('a handed-over task is continued by a task', async () => {
  const { scene, agent } = await startScene();
  const successor = await registerAgent(scene.hub, 'runner-02');
  const plain = new Client({ name: 'plain', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await plain.connect(transportOf(scene.hub, agent));
  onTestFinished(() => plain.close());
  const asked = toolResult(
    await plain.callTool({ name: 'reflect', arguments: { reflection: 'book a trip' } }),
  );
  const offered = toolResult(
    await plain.callTool({
      name: 'handoff_offer',
      arguments: { task_id: String(asked['task_id']), to_agent_id: 'runner-02' },
    }),
  );
  const host = await connect(scene.hub, successor, ({ mode }) =>
    mode === 'url' ? { action: 'accept' } : { action: 'cancel' },
  );
  const handoffId = String(offered['handoff_id']);
  const claim = await host.session.callTool('handoff_claim', { handoff_id: handoffId });
  const claimed = await settled(claim);
  const continued = await settled(
    await host.session.callTool('handoff_continue', {
      handoff_id: handoffId,
      lease_token: String(claimed['lease_token']),
      text: 'Bern',
    }),
  );
  expect(continued).toMatchObject({ task_id: asked['task_id'], status: { state: 'completed' } });
});

test('other requests, agents and hosts are answered as without the extension', async () => {
  const { scene, agent } = await startScene();
  const host = await connect(scene.hub, agent);
  const tool = { name: 'reflect', arguments: { reflection: 'book a trip' } };
  for (const capabilities of [{}, { extensions: {} }, { elicitation: {} }]) {
    const { result } = (await host.call('tools/call', tool, capabilities)) as { result: JsonValue };
    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
    expect(await host.call('tasks/get', { taskId: 'x' }, capabilities)).toMatchObject({
      kind: 'error',
      error: { code: -32021 },
    });
  }
  // What is answered within a moment needs no task, and neither do tools that do not wait.
  const quick = { name: 'reflect', arguments: { reflection: 'hello' } };
  for (const each of [quick, { name: 'list_sessions', arguments: {} }, { name: 'reflect', arguments: {} }]) {
    expect(await host.call('tools/call', each)).toMatchObject({ result: { resultType: 'complete' } });
  }
  const execution = await host.session.callTool('reflect', { reflection: `gate ${scene.gate.file}` });
  const taskId = execution.handle?.taskId ?? '';
  const stranger = await connect(scene.hub, await registerAgent(scene.hub, 'stranger'));
  const nobody = await connect(scene.hub, { headers: {} });
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const request = { taskId, inputResponses: {} };
    expect(await stranger.call(method, request)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^There is no task/) },
    });
    expect(await nobody.call(method, request)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('x-delx-agent-token') },
    });
  }
  expect(await taskOf(host, taskId)).toMatchObject({ status: 'working' });
  scene.gate.open();
  expect(await settled(execution)).toMatchObject({ answer: 'Through the gate.' });

  for (const era of ERAS) {
    const plain = new Client({ name: 'plain', version: '1.0.0' }, { versionNegotiation: { mode: era } });
    await plain.connect(transportOf(scene.hub, agent));
    onTestFinished(() => plain.close());
    const answer = await plain.callTool(tool);
    expect(Object.keys(answer)).not.toContain('taskId');
    expect(toolResult(answer)).toMatchObject({ answer: 'Which trip?', status: { state: 'input-required' } });
    const isLegacy = era === 'legacy';
    expect(plain.getServerCapabilities()?.extensions === undefined).toBe(isLegacy);
  }
});
