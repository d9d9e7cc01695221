import { randomUUID } from 'node:crypto';
import { createHub } from '@holdword/hub';
import { hubClient, type HubAnswer } from '@holdword/hub/testing';
import { noAuthentication, serveRuntime, startRuntime } from '@holdword/runtime';
import { demoAgent } from '@holdword/runtime/internal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../support/open-store.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type RunningHub } from './start-hub.ts';

watchForLeaks();
let hub: RunningHub;
let agent: HubAgent;
beforeAll(async () => {
  // The tests cancel waiting tasks and ended tasks.
  hub = await startHub({ words: ['--agent', 'demo', '--store', 'memory'] });
  agent = await registerAgent(hub, 'runner-01');
});
afterAll(() => hub.stop());

async function taskOf(text: string): Promise<string> {
  return String(resultOf(await hub.rpc('message/send', message(text), agent.headers))['id']);
}

function expectRejection(answer: HubAnswer, code: string, rpc: number, status = 200): void {
  const { code: found, data, message: words } = errorOf(answer);
  expect({ status: answer.status, found, code: data['delx_code'] }).toEqual({ status, found: rpc, code });
  expect(words).not.toBe('');
  expect(data).toMatchObject({ docs: expect.any(String), tools_docs: expect.any(String) });
}

describe('JSON-RPC errors', () => {
  test('DELX-A2A-1000: the body is not valid JSON', async () => {
    expectRejection(await hub.post('{"jsonrpc":'), 'DELX-A2A-1000', -32700, 400);
  });

  test('DELX-A2A-1001: the request is not JSON-RPC 2.0', async () => {
    const answer = await hub.post('{"jsonrpc":"1.0","id":7,"method":"methods/list"}');
    expectRejection(answer, 'DELX-A2A-1001', -32600);
    expect(answer.body['id']).toBe(7);
  });

  test('DELX-A2A-1002: unknown method, with a list of the methods', async () => {
    const answer = await hub.rpc('message/sent', {});
    expectRejection(answer, 'DELX-A2A-1002', -32601);
    expect(errorOf(answer).data).toMatchObject({
      details: { methods: expect.arrayContaining(['message/send', 'heartbeat/bundle', 'handoff/claim']) },
    });
  });

  test('DELX-A2A-1004: invalid params', async () => {
    const wrongParams = '{"jsonrpc":"2.0","id":1,"method":"message/send","params":[]}';
    expectRejection(await hub.post(wrongParams, agent.headers), 'DELX-A2A-1004', -32602);
    const noText = { message: { role: 'user', parts: [] } };
    expectRejection(await hub.rpc('message/send', noText, agent.headers), 'DELX-A2A-1004', -32602);
    const header = { ...agent.headers, 'x-delx-session-id': 'not-a-uuid' };
    expectRejection(await hub.rpc('message/send', message('hello'), header), 'DELX-A2A-1004', -32602);
    expectRejection(await hub.rpc('heartbeat/bundle', { errors_last_hour: 1 }), 'DELX-A2A-1004', -32602);
  });

  test('DELX-A2A-1005: the agent has no stable id', async () => {
    expectRejection(await hub.rpc('message/send', message('hello')), 'DELX-A2A-1005', -32602);
  });

  test.each(['tasks/get', 'tasks/cancel'])('DELX-A2A-1010: %s without a task id', async (method) => {
    expectRejection(await hub.rpc(method, {}, agent.headers), 'DELX-A2A-1010', -32602);
  });

  test.each(['tasks/get', 'tasks/cancel'])('DELX-A2A-1011: %s of an unknown task', async (method) => {
    const params = { taskId: randomUUID() };
    expectRejection(await hub.rpc(method, params, agent.headers), 'DELX-A2A-1011', -32004);
  });

  test('DELX-A2A-1012: the task has ended', async () => {
    const taskId = await taskOf('echo hello');
    const answer = await hub.rpc('tasks/cancel', { taskId }, agent.headers);
    expectRejection(answer, 'DELX-A2A-1012', -32010);
  });

  test('DELX-A2A-1013: the task is already canceled', async () => {
    const taskId = await taskOf('ask me');
    expect(resultOf(await hub.rpc('tasks/cancel', { taskId }, agent.headers))).toMatchObject({
      status: { state: 'canceled' },
    });
    const again = await hub.rpc('tasks/cancel', { taskId }, agent.headers);
    expectRejection(again, 'DELX-A2A-1013', -32010);
  });

  test('DELX-A2A-1099: errors without a specific code, such as rate limiting', async () => {
    const busy = await startHub({ hubOptions: { requestsPerMinute: 2 }, words: ['--store', 'memory'] });
    try {
      const answers = [];
      for (let call = 1; call <= 3; call += 1) answers.push(await busy.rpc('methods/list', {}));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      const refused = answers[2];
      if (refused === undefined) throw new Error('Expected three answers.');
      expectRejection(refused, 'DELX-A2A-1099', -32000, 429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await busy.stop();
    }
  });

  test.each([
    ['missing_agent_id', (token: string) => ({ 'x-delx-agent-token': token })],
    ['missing_token', () => ({ 'x-delx-agent-id': 'runner-01' })],
    ['invalid_token', () => ({ 'x-delx-agent-id': 'runner-01', 'x-delx-agent-token': 'guess' })],
    [
      'credential_not_registered',
      (token: string) => ({ 'x-delx-agent-id': 'nobody', 'x-delx-agent-token': token }),
    ],
  ])('DELX-A2A-1401: %s', async (reason, headers) => {
    const answer = await hub.rpc('message/send', message('hello'), headers(agent.token));
    expectRejection(answer, 'DELX-A2A-1401', -32001, 401);
    expect(errorOf(answer).data).toMatchObject({ details: { reason } });
  });

  test('DELX-A2A-1500: an internal error, without details', async () => {
    const temporary = await openStore();
    const { store } = temporary;
    const runtime = await startRuntime({ store, executor: demoAgent });
    const authentication = noAuthentication({ allowedHosts: [] });
    const served = await serveRuntime({
      runtime,
      port: 0,
      authentication,
      fallback: ({ url }) =>
        createHub({ store, operations: runtime.operations, baseUrl: url, authentication }).handle,
    });
    try {
      const broken = hubClient(served.url);
      await runtime.stop({ graceMilliseconds: 0 });
      await store.close();
      const answer = await broken.rpc('agents/register', { agent_id: 'late' });
      expectRejection(answer, 'DELX-A2A-1500', -32603);
      expect(JSON.stringify(answer.body)).not.toMatch(/sqlite|closed|stack|\.ts|\/tmp/i);
    } finally {
      await served.close({ graceMilliseconds: 0 });
      await temporary.remove();
    }
  });
});

test('errors are counted by code', async () => {
  await hub.rpc('message/send', message('hello'));
  const metrics = await (await fetch(`${hub.url}/metrics`)).text();
  expect(metrics).toMatch(
    /holdword_hub_requests_total\{method="message\/send",outcome="DELX-A2A-1005"\} [1-9]/,
  );
});

test('DELX-IDENTITY-WARN-TRANSITION: a heartbeat without the token is answered with a warning', async () => {
  const result = resultOf(await hub.rpc('heartbeat/bundle', { agent_id: 'runner-01', queue_depth: 1 }));
  expect(result['identity_notice']).toMatchObject({ code: 'DELX-IDENTITY-WARN-TRANSITION' });
});

describe('REST errors', () => {
  test.each([
    ['DELX-1001', 400, '/api/v1/status'],
    ['DELX-1004', 400, '/api/v1/status?session_id=not-a-uuid'],
    ['session_not_found', 404, `/api/v1/status?session_id=${randomUUID()}`],
  ])('%s', async (code, status, path) => {
    const answer = await hub.get(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code, hint: expect.any(String) } });
  });
});
