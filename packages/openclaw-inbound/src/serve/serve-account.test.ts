import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { answer, toolCall, untilAborted } from '../testing/scripted-host.ts';
import { callRpc, digestOf, sectionOf, serveScriptedAccount } from '../testing/serve-scripted-account.ts';

const V03 = { 'A2A-Version': '0.3' };

function messageOf(parts: object[] = [{ text: 'hello' }]): object {
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts };
}

function legacyMessageOf(parts: object[] = [{ kind: 'text', text: 'hello' }]): object {
  return { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts };
}

describe('the card', () => {
  test('has the interfaces of the example in the README', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [, example = ''] = /### The agent card\n\n```json\n([^]*?)\n```/.exec(readme) ?? [];
    const { url } = await serveScriptedAccount(sectionOf());
    const response = await fetch(`${url}/.well-known/agent-card.json`);
    const { supportedInterfaces } = JSON.parse(example) as object & { supportedInterfaces?: unknown };
    expect(await response.json()).toMatchObject({ supportedInterfaces });
  });

  test('describes the agent and its endpoints in both versions', async () => {
    const { url } = await serveScriptedAccount(sectionOf({ label: 'Primary A2A Endpoint' }));
    const response = await fetch(`${url}/.well-known/agent-card.json`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      name: 'Primary A2A Endpoint',
      supportedInterfaces: [
        { url: 'https://agents.example.com/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: 'https://agents.example.com/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.1' },
        { url: 'https://agents.example.com/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      protocolVersion: '0.3.0',
      url: 'https://agents.example.com/a2a/jsonrpc',
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: true, pushNotifications: false },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      skills: [{ id: 'chat', name: 'Chat' }],
    });
  });

  test('and JSON-RPC are served at the configured paths', async () => {
    const paths = { agentCardPath: '/agents/one/card.json', jsonRpcPath: '/agents/one' };
    const { url, call } = await serveScriptedAccount(sectionOf(paths));
    expect(await (await fetch(`${url}/agents/one/card.json`)).json()).toMatchObject({
      supportedInterfaces: [{ url: 'https://agents.example.com/agents/one' }, {}, {}],
    });
    expect(await call('SendMessage', { message: messageOf() })).toMatchObject({ status: 200 });
    expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(404);
  });
});

describe('the operations, on 1.0 and on 0.3', () => {
  test('answer a short turn with a message', async () => {
    const { call } = await serveScriptedAccount(sectionOf());
    expect(await call('SendMessage', { message: messageOf() })).toMatchObject({
      result: { message: { role: 'ROLE_AGENT', parts: [{ text: 'You said: hello' }] } },
    });
    expect(await call('message/send', { message: legacyMessageOf() }, { headers: V03 })).toMatchObject({
      result: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'You said: hello' }] },
    });
  });

  test('always create a task with agentStyle task-generating', async () => {
    const { call } = await serveScriptedAccount(sectionOf({ agentStyle: 'task-generating' }));
    expect(await call('SendMessage', { message: messageOf() })).toMatchObject({
      result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
    expect(await call('message/send', { message: legacyMessageOf() }, { headers: V03 })).toMatchObject({
      result: { kind: 'task', status: { state: 'completed' } },
    });
  });

  test('stream a task, get it, and do not change it after its end', async () => {
    const { call } = await serveScriptedAccount(sectionOf(), (turn) => {
      for (const event of toolCall('clock', 'c-1', 'noon')) turn.onEvent(event);
      answer(turn, 'It is noon.');
    });
    const { stream = [] } = await call('message/stream', { message: legacyMessageOf() }, { headers: V03 });
    expect(stream[0]).toMatchObject({ result: { kind: 'task', status: { state: 'submitted' } } });
    expect(stream.at(-1)).toMatchObject({
      result: { kind: 'status-update', final: true, status: { state: 'completed' } },
    });
    const [first] = stream as [{ result: { id: string } }];
    const { id } = first.result;
    for (const [method, headers, state] of [
      ['tasks/get', V03, 'completed'],
      ['GetTask', {}, 'TASK_STATE_COMPLETED'],
    ] as const) {
      expect(await call(method, { id }, { headers })).toMatchObject({ result: { id, status: { state } } });
    }
    expect(await call('CancelTask', { id })).toMatchObject({ error: { code: -32002 } });
    expect(await call('tasks/cancel', { id }, { headers: V03 })).toMatchObject({
      result: { id, status: { state: 'completed' } },
    });
    expect(await call('SubscribeToTask', { id })).toMatchObject({ error: { code: -32004 } });
    expect(await call('tasks/resubscribe', { id }, { headers: V03 })).toMatchObject({
      stream: [{ result: { kind: 'task', id, status: { state: 'completed' } } }],
    });
    expect(JSON.stringify(stream)).not.toMatch(/openclaw|urn:holdword/);
  });

  test('cancel a running turn', async () => {
    const { call, host } = await serveScriptedAccount(sectionOf(), untilAborted);
    const sent = await call('SendMessage', {
      message: messageOf(),
      configuration: { returnImmediately: true },
    });
    const { id } = (sent.result as { task: { id: string } }).task;
    expect(await call('tasks/cancel', { id }, { headers: V03 })).toMatchObject({
      result: { id, status: { state: 'canceled' } },
    });
    expect(host.turns[0]?.signal.aborted).toBe(true);
  });

  test('cancel a task that waits for input immediately', async () => {
    const approval = {
      approvalId: 'a-1',
      approvalKind: 'exec' as const,
      sessionKey: 's',
      decisions: ['allow-once', 'deny'] as const,
      expiresAt: '2100-01-01T00:00:00.000Z',
    };
    const auth = { peers: { iris: { keySha256: digestOf('key'), tools: 'all', mayApprove: true } } };
    const { call, host } = await serveScriptedAccount(sectionOf({ auth }), async (turn) => {
      turn.onEvent({ kind: 'approval', approval });
      await untilAborted(turn);
    });
    const headers = { Authorization: 'Bearer key' };
    const sent = await call('SendMessage', { message: messageOf() }, { headers });
    expect(sent.result).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
    const { id } = (sent.result as { task: { id: string } }).task;
    expect(await call('CancelTask', { id }, { headers })).toMatchObject({
      result: { id, status: { state: 'TASK_STATE_CANCELED' } },
    });
    expect(host.turns[0]?.signal.aborted).toBe(true);
  });

  test.each([
    ['CreateTaskPushNotificationConfig', '1.0', { taskId: 't', url: 'https://x.example' }],
    ['GetTaskPushNotificationConfig', '1.0', { taskId: 't', id: 'p' }],
    ['ListTaskPushNotificationConfigs', '1.0', { taskId: 't' }],
    ['DeleteTaskPushNotificationConfig', '1.0', { taskId: 't', id: 'p' }],
    [
      'tasks/pushNotificationConfig/set',
      '0.3',
      { taskId: 't', pushNotificationConfig: { url: 'https://x.example' } },
    ],
    ['tasks/pushNotificationConfig/get', '0.3', { id: 't' }],
    ['tasks/pushNotificationConfig/list', '0.3', { id: 't' }],
    ['tasks/pushNotificationConfig/delete', '0.3', { id: 't', pushNotificationConfigId: 'p' }],
  ])('have no %s on %s', async (method, version, params) => {
    const { call } = await serveScriptedAccount(sectionOf());
    expect(await call(method, params, { headers: { 'A2A-Version': version } })).toMatchObject({
      status: 200,
      error: { code: -32601 },
    });
  });

  test('reject files and name the part', async () => {
    const { call, host } = await serveScriptedAccount(sectionOf());
    const file = { raw: 'aGVsbG8=', mediaType: 'text/plain' };
    const answers = [
      await call('SendMessage', { message: messageOf([{ text: 'see' }, file]) }),
      await call('SendStreamingMessage', {
        message: messageOf([{ text: 'see' }, { url: 'https://x.example' }]),
      }),
      await call(
        'message/send',
        {
          message: legacyMessageOf([
            { kind: 'text', text: 'see' },
            { kind: 'file', file: { bytes: 'aGVsbG8=' } },
          ]),
        },
        { headers: V03 },
      ),
    ];
    for (const { status, error } of answers) {
      expect(status).toBe(200);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain('message.parts[1]');
    }
    expect(host.turns).toEqual([]);
  });

  test('accept files if they are enabled', async () => {
    const { call, host } = await serveScriptedAccount(sectionOf({ features: { files: true } }));
    const file = { raw: 'aGVsbG8=', mediaType: 'text/csv', filename: 'a.csv' };
    await call('SendMessage', { message: messageOf([{ text: 'see' }, file]) });
    expect(host.savedFiles).toMatchObject([{ name: 'a.csv', mediaType: 'text/csv' }]);
  });

  test('treat an empty list of output modes as no preference, and reject unsupported modes', async () => {
    const { call } = await serveScriptedAccount(sectionOf());
    const send = (acceptedOutputModes: string[]) =>
      call('SendMessage', { message: messageOf(), configuration: { acceptedOutputModes } });
    expect(await send([])).toHaveProperty('result.message');
    const legacy = { message: legacyMessageOf(), configuration: { acceptedOutputModes: [] } };
    expect(await call('message/send', legacy, { headers: V03 })).toHaveProperty('result.kind', 'message');
    expect(await send(['image/png', 'text/plain'])).toHaveProperty('result.message');
    const { error } = await send(['image/png']);
    expect(error?.code).toBe(-32005);
    expect(error?.message).toContain('text/plain, application/json');
    expect(error?.message).toContain('image/png');
  });

  test('omit the history with historyLength 0', async () => {
    const { call } = await serveScriptedAccount(sectionOf({ agentStyle: 'task-generating' }));
    const configuration = { historyLength: 0 };
    const sent = await call('SendMessage', { message: messageOf(), configuration });
    const { task } = sent.result as { task: { id: string } };
    expect(task).not.toHaveProperty('history');
    const get = (historyLength?: number) =>
      call('GetTask', { id: task.id, ...(historyLength !== undefined && { historyLength }) });
    expect((await get(0)).result).not.toHaveProperty('history');
    expect((await get(1)).result).toHaveProperty('history.length', 1);
    expect((await get()).result).toHaveProperty('history.length', 2);
    const getLegacy = (params: object) => call('tasks/get', { id: task.id, ...params }, { headers: V03 });
    const none = (await getLegacy({ historyLength: 0 })).result as { history?: unknown[] };
    expect(none.history ?? []).toEqual([]);
    expect((await getLegacy({})).result).toHaveProperty('history.length', 2);
  });

  test('reject a request above maxBodyBytes', async () => {
    const { call } = await serveScriptedAccount(sectionOf({ maxBodyBytes: 2_000 }));
    const large = { message: messageOf([{ text: 'x'.repeat(3_000) }]) };
    expect(await call('SendMessage', large)).toMatchObject({ status: 413, error: { code: -32094 } });
    expect(await call('SendMessage', { message: messageOf() })).toMatchObject({ status: 200 });
  });
});

describe('features that are off by default', () => {
  test('REST', async () => {
    const { url } = await serveScriptedAccount(sectionOf());
    expect((await fetch(`${url}/a2a/rest/tasks/t-1`)).status).toBe(404);
    const open = await serveScriptedAccount(sectionOf({ features: { rest: true } }));
    const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };
    const sent = await fetch(`${open.url}/a2a/rest/message:send`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ message: messageOf() }),
    });
    expect(await sent.json()).toMatchObject({ message: { parts: [{ text: 'You said: hello' }] } });
    const unknown = await fetch(`${open.url}/a2a/rest`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { code: 'A2A_ROUTE_NOT_FOUND' } });
  });

  test('push notifications', async () => {
    const { call, url } = await serveScriptedAccount(
      sectionOf({ features: { push: true }, agentStyle: 'task-generating' }),
    );
    expect(await (await fetch(`${url}/.well-known/agent-card.json`)).json()).toMatchObject({
      capabilities: { pushNotifications: true },
    });
    expect(await (await fetch(`${url}/.well-known/jwks.json`)).json()).toHaveProperty('keys');
    const sent = await call('SendMessage', { message: messageOf() });
    const taskId = (sent.result as { task: { id: string } }).task.id;
    expect(await call('ListTaskPushNotificationConfigs', { taskId })).toMatchObject({
      result: { configs: [] },
    });
  });

  test('the extended card', async () => {
    const { call } = await serveScriptedAccount(sectionOf());
    expect(await call('GetExtendedAgentCard', {})).toMatchObject({ error: { code: -32004 } });
    const auth = { peers: { iris: { keySha256: digestOf('key-of-iris'), tools: ['web_search'] } } };
    const open = await serveScriptedAccount(sectionOf({ features: { extendedCard: true }, auth }));
    expect(await open.call('GetExtendedAgentCard', {})).toMatchObject({ status: 401 });
    const headers = { 'X-API-Key': 'key-of-iris' };
    expect(await open.call('GetExtendedAgentCard', {}, { headers })).toMatchObject({
      result: { skills: [{ id: 'chat' }, { id: 'tool:web_search' }] },
    });
  });
});

describe('an account of the bundled channel', () => {
  const SECTION = { peers: { hermes: { token: 'swordfish' } } };
  const HERMES = { Authorization: 'Bearer swordfish' };

  test('serves unversioned clients at the bundled URL', async () => {
    const { url } = await serveScriptedAccount(SECTION);
    for (const method of ['SendMessage', 'message/send']) {
      const { result } = await callRpc(`${url}/a2a/v1`, method, { message: messageOf() }, HERMES);
      expect(result).toMatchObject({
        task: {
          status: { state: 'TASK_STATE_COMPLETED' },
          artifacts: [{ parts: [{ text: 'You said: hello' }] }],
        },
      });
      const { id } = (result as { task: { id: string } }).task;
      for (const get of ['GetTask', 'tasks/get']) {
        expect(await callRpc(`${url}/a2a/v1`, get, { id }, HERMES)).toMatchObject({ result: { id } });
      }
    }
  });

  test.each([
    ['without an id', { role: 'ROLE_USER', parts: [{ text: 'hello' }] }],
    ['in 0.3 form', { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hello' }] }],
    [
      'with files, which are dropped',
      {
        messageId: 'm-1',
        role: 'user',
        parts: [{ text: 'hello' }, { url: 'https://x.example' }, { kind: 'file', file: { bytes: 'aGk=' } }],
      },
    ],
  ])('accepts a message %s', async (_, message) => {
    const { url, host } = await serveScriptedAccount(SECTION);
    const params = { message, configuration: { blocking: true } };
    expect(await callRpc(`${url}/a2a/v1`, 'message/send', params, HERMES)).toMatchObject({
      result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
    expect(host.turns).toMatchObject([{ text: 'hello', context: [], files: [] }]);
  });

  test.each([
    ['only files', { message: { role: 'user', parts: [{ url: 'https://x.example' }] } }],
    ['no message', {}],
    ['a message that is not an object', { message: 'hello' }],
    ['parts that are not a list', { message: { role: 'user', parts: 'hello' } }],
  ])('rejects %s', async (_, params) => {
    const { url } = await serveScriptedAccount(SECTION);
    expect(await callRpc(`${url}/a2a/v1`, 'SendMessage', params, HERMES)).toMatchObject({
      error: { code: -32602 },
    });
  });

  test('requires the token of a peer', async () => {
    const { url } = await serveScriptedAccount(SECTION);
    for (const headers of [{}, { Authorization: 'Bearer trout' }]) {
      expect(await callRpc(`${url}/a2a/v1`, 'SendMessage', { message: messageOf() }, headers)).toMatchObject({
        status: 401,
      });
    }
  });

  test('has a card at both paths, with the address of the request', async () => {
    const { url } = await serveScriptedAccount(SECTION);
    expect(await (await fetch(`${url}/.well-known/agent-card.json`)).json()).toMatchObject({
      supportedInterfaces: [
        { url: `${url}/a2a/v1`, protocolVersion: '1.0' },
        { url: `${url}/a2a/v1`, protocolVersion: '1.1' },
        { url: `${url}/a2a/v0.3`, protocolVersion: '0.3' },
      ],
    });
    expect(await (await fetch(`${url}/.well-known/agent.json`)).json()).toMatchObject({
      url: `${url}/a2a/v0.3`,
    });
  });
});
