import type { JsonObject } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { startTestHub } from '../testing/start-test-hub.ts';

const UUID = '00000000-0000-4000-8000-000000000000';

function says(text: string): JsonObject {
  return { message: { role: 'user', parts: [{ kind: 'text', text }] } };
}

function rejection(status: number, code: number, delxCode: string) {
  return { status, body: { jsonrpc: '2.0', error: { code, data: { delx_code: delxCode } } } };
}

describe('a rejected request', () => {
  it.each([
    ['invalid JSON', '{', 400, -32700, 'DELX-A2A-1000', null],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"methods/list"}', 200, -32600, 'DELX-A2A-1001', 7],
    ['a batch', '[]', 200, -32600, 'DELX-A2A-1001', null],
    ['no method', '{"jsonrpc":"2.0","id":7}', 200, -32600, 'DELX-A2A-1001', 7],
    ['an unknown method', '{"jsonrpc":"2.0","id":7,"method":"x"}', 200, -32601, 'DELX-A2A-1002', 7],
    [
      'params that are not an object',
      '{"jsonrpc":"2.0","id":"a","method":"methods/list","params":[]}',
      200,
      -32602,
      'DELX-A2A-1004',
      'a',
    ],
  ])('has %s', async (_what, body, status, code, delxCode, id) => {
    const hub = await startTestHub();
    const answer = await hub.post(body);
    expect(answer).toMatchObject(rejection(status, code, delxCode));
    expect(answer.body).toMatchObject({
      id,
      error: { data: { docs: `${hub.url}/api/v1/a2a/methods`, tools_docs: `${hub.url}/api/v1/tools` } },
    });
  });

  it('lists the methods and suggests the closest one', async () => {
    const hub = await startTestHub();
    const { body } = await hub.rpc('message/sent', {});
    expect(body).toMatchObject({
      error: {
        data: {
          hint: 'Did you mean message/send?',
          details: { methods: expect.arrayContaining(['agents/register', 'methods/list', 'tasks/get']) },
        },
      },
    });
  });

  it.each([
    ['no text', 'message/send', {}, {}, 200, -32602, 'DELX-A2A-1004'],
    [
      'an invalid session header',
      'message/send',
      says('hi'),
      { 'x-delx-session-id': 'x' },
      200,
      -32602,
      'DELX-A2A-1004',
    ],
    [
      'an invalid session header under its alias',
      'message/send',
      says('hi'),
      { 'x-session-id': 'x' },
      200,
      -32602,
      'DELX-A2A-1004',
    ],
    ['no task id', 'tasks/get', {}, {}, 200, -32602, 'DELX-A2A-1010'],
    ['no task id', 'tasks/cancel', {}, {}, 200, -32602, 'DELX-A2A-1010'],
    ['an unknown task', 'tasks/get', { task_id: UUID }, {}, 200, -32004, 'DELX-A2A-1011'],
    ['an unknown task', 'tasks/cancel', { taskId: UUID }, {}, 200, -32004, 'DELX-A2A-1011'],
  ])('has %s: %s', async (_what, method, params, headers, status, code, delxCode) => {
    const hub = await startTestHub();
    const own = await hub.register('runner');
    expect(await hub.rpc(method, params, { ...own, ...headers })).toMatchObject(
      rejection(status, code, delxCode),
    );
  });

  it('tries to cancel a task that has ended', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const { id } = await hub.result('message/send', says('hi'), headers);
    const answer = await hub.rpc('tasks/cancel', { task_id: id }, headers);
    expect(answer).toMatchObject(rejection(200, -32010, 'DELX-A2A-1012'));
  });

  it('comes from an unauthenticated agent', async () => {
    const hub = await startTestHub();
    const { 'x-delx-agent-token': token = '' } = await hub.register('runner');
    const refused = async (headers: Record<string, string>): Promise<unknown> => {
      const { status, body } = await hub.rpc('message/send', says('hi'), headers);
      return { status, ...Object(body['error']).data };
    };
    expect(await refused({})).toMatchObject({ status: 200, delx_code: 'DELX-A2A-1005' });
    expect(await refused({ 'x-agent-token': token })).toMatchObject({
      status: 401,
      delx_code: 'DELX-A2A-1401',
      details: { reason: 'missing_agent_id' },
    });
    expect(await refused({ 'x-agent-id': 'runner' })).toMatchObject({ details: { reason: 'missing_token' } });
    expect(await refused({ 'x-agent-id': 'runner', 'x-agent-token': 'x' })).toMatchObject({
      details: { reason: 'invalid_token' },
    });
    expect(await refused({ 'x-agent-id': 'nobody', 'x-agent-token': token })).toMatchObject({
      details: { reason: 'credential_not_registered' },
    });
  });

  it('is too large', async () => {
    const hub = await startTestHub({ settings: { bodyBytes: 200 } });
    expect(await hub.post(JSON.stringify({ text: 'x'.repeat(300) }))).toMatchObject({ status: 413 });
    const chunks = ReadableStream.from([Buffer.alloc(150), Buffer.alloc(150), Buffer.alloc(150)]);
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: chunks, duplex: 'half' as const };
    const response = await fetch(`${hub.url}/v1/a2a`, init);
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('exceeds the rate limit of its address', async () => {
    const hub = await startTestHub({ settings: { requestsPerMinute: 2 } });
    await hub.rpc('methods/list', {});
    await hub.rpc('methods/list', {});
    const late = await hub.rpc('methods/list', {});
    expect(late).toMatchObject(rejection(429, -32000, 'DELX-A2A-1099'));
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('has a content type that web pages can send without a preflight request', async () => {
    const hub = await startTestHub();
    const answer = await hub.post('{}', { 'Content-Type': 'text/plain' });
    expect(answer).toMatchObject(rejection(400, -32700, 'DELX-A2A-1000'));
  });

  it('fails with an internal error whose details are not exposed', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    await hub.store.close();
    const answer = await hub.rpc('message/send', says('hi'), headers);
    expect(answer).toMatchObject(rejection(200, -32603, 'DELX-A2A-1500'));
    expect(JSON.stringify(answer.body)).not.toMatch(/store|closed|\.ts/i);
  });

  it('is reported once, including internal errors of plain A2A and unsupported HTTP methods', async () => {
    const noted: object[] = [];
    const hub = await startTestHub({
      observer: { fallbackRejected: ({ operation, code }) => noted.push({ operation, code }) },
    });
    const headers = await hub.register('runner');
    await hub.rpc('GetTask', { id: UUID });
    for (const path of ['/v1/a2a', '/v1/a2a/']) {
      const answer = await fetch(`${hub.url}${path}`, { method: 'DELETE' });
      expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'POST',
      });
    }
    await hub.store.close();
    expect(await hub.rpc('GetTask', { id: UUID }, headers)).toMatchObject(
      rejection(200, -32603, 'DELX-A2A-1500'),
    );
    expect(noted).toEqual([
      { operation: 'GetTask', code: 'DELX-A2A-1005' },
      { operation: 'DELETE /v1/a2a', code: 'method_not_allowed' },
      { operation: 'DELETE /v1/a2a', code: 'method_not_allowed' },
      { operation: 'GetTask', code: 'DELX-A2A-1500' },
    ]);
  });
});

describe('a session id without an agent id', () => {
  it('identifies its owner if the token matches', async () => {
    const hub = await startTestHub();
    const { 'x-delx-agent-token': token = '', ...headers } = await hub.register('runner');
    const named = { ...headers, 'x-delx-agent-token': token };
    const { session_id: sessionId } = await hub.result('message/send', says('hi'), named);
    const result = await hub.result('message/send', says('hi'), {
      'x-delx-session-id': String(sessionId),
      'x-delx-agent-token': token,
    });
    expect(result).toMatchObject({ canonical_agent_id: 'runner', session_id: sessionId });
  });

  it('does not reveal whether the session exists', async () => {
    const hub = await startTestHub();
    const { session_id: sessionId } = await hub.result('agents/register', { agent_id: 'runner' });
    for (const token of [{}, { 'x-delx-agent-token': 'guess' }]) {
      const [known, unknown] = await Promise.all(
        [String(sessionId), UUID].map((id) =>
          hub.rpc('message/send', says('hi'), { 'x-delx-session-id': id, ...token }),
        ),
      );
      expect(known?.status).toBe(unknown?.status);
      expect(known?.body).toEqual(unknown?.body);
    }
  });
});

describe('plain A2A at the same endpoint', () => {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  const legacyMessage = {
    kind: 'message',
    messageId: 'm-2',
    role: 'user',
    parts: [{ kind: 'text', text: 'hello' }],
  };

  it('is 1.0 if the method names are those of 1.0', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const { task } = await hub.result('SendMessage', { message }, headers);
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    const { id } = Object(task);
    expect(await hub.result('GetTask', { id }, headers)).toMatchObject({ id });
    expect(await hub.result('tasks/get', { id }, headers)).toMatchObject({ kind: 'task', id });
    expect(await hub.result('tasks/get', { task_id: id }, headers)).toMatchObject({
      response_contract_version: 'v2',
    });
  });

  it('is 0.3 if the message has an id and no field is specific to the hub', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    expect(await hub.result('message/send', { message: legacyMessage }, headers)).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
    });
    const hubs: [JsonObject, Record<string, string>][] = [
      [{ mode: 'neutral' }, {}],
      [{ configuration: { contextId: 'demo' } }, {}],
      [{ metadata: { session_id: UUID } }, {}],
      [{}, { 'x-delx-session-id': UUID }],
    ];
    for (const [params, more] of hubs) {
      const result = await hub.result(
        'message/send',
        { message: legacyMessage, ...params },
        { ...headers, ...more },
      );
      expect(result).toHaveProperty('session_resolution');
    }
  });

  it('streams', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const response = await fetch(`${hub.url}/v1/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toContain('TASK_STATE_COMPLETED');
  });

  it('requires a registered agent and shows it only its own tasks', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const { task } = await hub.result('SendMessage', { message }, headers);
    const stranger = await hub.rpc('GetTask', { id: Object(task).id });
    expect(stranger.status).toBe(401);
    expect(stranger.body).toMatchObject({ error: { message: expect.stringContaining('agents/register') } });
    const other = await hub.rpc('GetTask', { id: Object(task).id }, await hub.register('other'));
    expect(other.body).toMatchObject({ error: { code: -32001 } });
  });
});

describe('methods/list', () => {
  it('lists the methods, even to unauthenticated callers', async () => {
    const hub = await startTestHub();
    const result = await hub.result('methods/list', {});
    expect(result).toMatchObject({
      version: 'v2',
      endpoint: `${hub.url}/v1/a2a`,
      method_specs: { 'message/send': { required: ['message'] }, 'methods/list': { required: [] } },
      session_precedence: expect.arrayContaining(['header x-delx-session-id', 'new_session']),
    });
    const methods = Object.values(Object(result['methods'])).map(String);
    expect(methods).toEqual(methods.toSorted());
    expect(methods).toContain('agents/register');
  });
});
