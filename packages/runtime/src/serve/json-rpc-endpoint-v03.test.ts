import type { JsonObject } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { serveDemo } from './testing/demo-server.ts';
import { startTestServer } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

const say = (text: string) => ({
  kind: 'message',
  messageId: 'm-1',
  role: 'user',
  parts: [{ kind: 'text', text }],
});

function call(endpoint: string, method: string, params: unknown, headers = {}): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 5, method, params }),
  });
}

async function result(endpoint: string, method: string, params: unknown): Promise<JsonObject> {
  const answer = (await (await call(endpoint, method, params)).json()) as { result: JsonObject };
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 5 });
  expect(answer).toHaveProperty('result');
  return answer.result;
}

describe('0.3 over JSON-RPC', () => {
  it('sends a message and reads, continues and cancels its task', async () => {
    const { jsonRpcUrl } = await serveDemo();
    const asked = await result(jsonRpcUrl, 'message/send', { message: say('ask me') });
    expect(asked).toMatchObject({ kind: 'task', status: { state: 'input-required' } });
    expect(await result(jsonRpcUrl, 'tasks/get', { id: asked['id'], historyLength: 1 })).toMatchObject({
      id: asked['id'],
      history: [{ kind: 'message' }],
    });
    expect(await result(jsonRpcUrl, 'tasks/cancel', { id: asked['id'] })).toMatchObject({
      status: { state: 'canceled' },
    });
  });

  it('returns immediately only if the client does not want to wait', async () => {
    const { jsonRpcUrl } = await serveDemo();
    const send = (text: string, configuration: object) =>
      result(jsonRpcUrl, 'message/send', { message: say(text), configuration });
    expect(await send('wait 0.1', {})).toMatchObject({ status: { state: 'completed' } });
    const early = await send('wait 60', { blocking: false });
    expect(early).not.toMatchObject({ status: { state: 'completed' } });
  });

  it('returns immediately unless the client wants to wait, if the server says so', async () => {
    const { jsonRpcUrl } = await serveDemo({ v03Blocking: false });
    const waiting = { kind: 'task', status: { state: expect.stringMatching(/submitted|working/) } };
    for (const configuration of [undefined, null, {}, { blocking: null }, { historyLength: 1 }]) {
      const params = { message: say('wait 60'), configuration };
      expect(await result(jsonRpcUrl, 'message/send', params)).toMatchObject(waiting);
    }
    const blocking = { message: say('wait 0.1'), configuration: { blocking: true } };
    expect(await result(jsonRpcUrl, 'message/send', blocking)).toMatchObject({
      status: { state: 'completed' },
    });
    const invalid = await call(jsonRpcUrl, 'message/send', { message: say('hi'), configuration: 5 });
    expect(await invalid.json()).toMatchObject({ error: { code: -32_602 } });
  });

  it('streams updates with ids, and marks the last one as final', async () => {
    const { jsonRpcUrl } = await serveDemo();
    const text = await (await call(jsonRpcUrl, 'message/stream', { message: say('count to 2') })).text();
    const events = text.trimEnd().split('\n\n');
    const results = events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)).result);
    expect(events[0]).toMatch(/^id: 1\n/);
    expect(results[0]).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    expect(results).toContainEqual(expect.objectContaining({ kind: 'artifact-update' }));
    expect(results.at(-1)).toMatchObject({
      kind: 'status-update',
      final: true,
      status: { state: 'completed' },
    });
    expect(results.slice(0, -1).some((each) => each.final === true)).toBe(false);
  });

  it('carries files and data in both directions', async () => {
    const { jsonRpcUrl } = await serveDemo();
    const file = await result(jsonRpcUrl, 'message/send', { message: say('file') });
    expect(JSON.stringify(file['artifacts'])).toMatch(/"kind":"file","file":\{"bytes":"[^"]+","mimeType":/);
    const table = await result(jsonRpcUrl, 'message/send', { message: say('table') });
    expect(JSON.stringify(table['artifacts'])).toContain('"kind":"data","data":{');

    const parts = [
      { kind: 'text', text: 'echo it' },
      { kind: 'file', file: { uri: 'https://files.example/a', mimeType: 'text/plain', name: 'a.txt' } },
      { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain' } },
      { kind: 'data', data: { a: 1 }, metadata: { b: 2 } },
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
    ];
    const sent = await result(jsonRpcUrl, 'message/send', { message: { ...say(''), parts } });
    expect(sent['history']).toMatchObject([{ role: 'user', parts }, {}]);
  });

  it.each<[string, string, unknown, number]>([
    ['no message', 'message/send', {}, -32602],
    ['a message that is not an object', 'message/send', { message: 'hello' }, -32602],
    ['no parts', 'message/send', { message: { ...say(''), parts: undefined } }, -32602],
    [
      'a part of unknown kind',
      'message/send',
      { message: { ...say(''), parts: [{ kind: 'video', text: 'x' }] } },
      -32602,
    ],
    ['a part that is not an object', 'message/send', { message: { ...say(''), parts: [null] } }, -32602],
    [
      'a file without content',
      'message/send',
      { message: { ...say(''), parts: [{ kind: 'file' }] } },
      -32602,
    ],
    ['an unknown role', 'message/send', { message: { ...say('x'), role: 'ROLE_USER' } }, -32602],
    ['a numeric id', 'tasks/get', { id: 7 }, -32602],
    ['an unknown task', 'tasks/get', { id: 'nobody' }, -32001],
    ['an unknown method', 'tasks/list', {}, -32601],
    ['push configurations of an unknown task', 'tasks/pushNotificationConfig/list', { id: 't-1' }, -32001],
    ['the extended card', 'agent/getAuthenticatedExtendedCard', undefined, -32004],
  ])('rejects %s', async (_, method, params, code) => {
    const { jsonRpcUrl } = await serveDemo();
    const answer = (await (await call(jsonRpcUrl, method, params)).json()) as { error: { message: string } };
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 5, error: { code } });
    expect(answer.error.message).not.toContain('undefined');
  });

  const file = (given: unknown) => ({ message: { ...say(''), parts: [{ kind: 'file', file: given }] } });
  const configured = (configuration: unknown) => ({ message: say('x'), configuration });

  it.each<[string, unknown, string]>([
    [
      'message/send',
      { message: { ...say(''), parts: [{ text: 'x' }] } },
      'message.parts[0].kind: expected kind text, file or data, found nothing',
    ],
    [
      'message/stream',
      { message: { ...say(''), parts: [say('x').parts[0], { kind: 'video', text: 'x' }] } },
      'message.parts[1].kind: expected kind text, file or data, found "video"',
    ],
    [
      'message/send',
      { message: { ...say(''), parts: ['x'] } },
      'message.parts[0]: expected an object, found "x"',
    ],
    [
      'message/send',
      { message: { ...say(''), parts: [{ kind: 'text' }] } },
      'message.parts[0].text: expected a string, found nothing',
    ],
    [
      'message/send',
      { message: { ...say(''), parts: [{ kind: 'data' }] } },
      'message.parts[0].data: expected an object, found nothing',
    ],
    ['message/send', file(undefined), 'message.parts[0].file: expected an object, found nothing'],
    [
      'message/send',
      file({ name: 'a' }),
      'message.parts[0].file: expected exactly one of bytes and uri, found an object with name',
    ],
    ['message/send', file({ bytes: 5 }), 'message.parts[0].file.bytes: expected a string, found 5'],
    ['message/send', file({ uri: '' }), 'message.parts[0].file.uri: expected a non-empty string, found ""'],
    [
      'message/send',
      file({ uri: 'a', mimeType: 5 }),
      'message.parts[0].file.mimeType: expected a string, found 5',
    ],
    ['message/send', file({ uri: 'a', name: 5 }), 'message.parts[0].file.name: expected a string, found 5'],
    ['message/send', configured('x'), 'configuration: expected an object, found "x"'],
    ['message/send', configured({ blocking: 'x' }), 'configuration.blocking: expected a boolean, found "x"'],
    [
      'message/send',
      configured({ pushNotificationConfig: 'x' }),
      'configuration.pushNotificationConfig: expected an object, found "x"',
    ],
    [
      'message/send',
      configured({ pushNotificationConfig: { url: 'https://a.example', token: 'ü' } }),
      'configuration.pushNotificationConfig.token: expected visible ASCII characters, found something else',
    ],
    [
      'tasks/pushNotificationConfig/set',
      {
        taskId: 't-1',
        pushNotificationConfig: { authentication: { schemes: [] }, url: 'https://a.example' },
      },
      'pushNotificationConfig.authentication.schemes[0]: expected a string, found nothing',
    ],
    ['tasks/pushNotificationConfig/get', {}, 'id: expected a string, found nothing'],
    [
      'tasks/pushNotificationConfig/delete',
      { id: 't-1', pushNotificationConfigId: 5 },
      'pushNotificationConfigId: expected a string, found 5',
    ],
  ])('describes errors to %s %j in its own terms', async (method, params, violation) => {
    const { jsonRpcUrl } = await serveDemo();
    const answer = (await (await call(jsonRpcUrl, method, params)).json()) as { error: { message: string } };
    expect(answer.error.message).toBe(`Invalid parameters. ${violation}.`);
  });

  it('requires a credential', async () => {
    const url = await startTestServer({ authentication: userAuthentication });
    const response = await call(`${url}/a2a/jsonrpc`, 'tasks/get', { id: 't-1' });
    expect(response.status).toBe(401);
    const allowed = await call(`${url}/a2a/jsonrpc`, 'tasks/get', { id: 't-1' }, { 'X-User': 'alice' });
    expect(await allowed.json()).toMatchObject({ result: { kind: 'task' } });
  });
});
