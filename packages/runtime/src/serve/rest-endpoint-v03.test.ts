import type { Task } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { serveDemo } from './testing/demo-server.ts';

const say = (text: string) => ({ messageId: 'm-1', role: 'ROLE_USER', content: [{ text }] });

function call(restUrl: string, verb: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${restUrl}/v1${path}`, {
    method: verb,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
}

describe('0.3 over REST', () => {
  it('returns immediately unless the client wants to wait, if the server says so', async () => {
    const { restUrl } = await serveDemo({ v03Blocking: false });
    const response = await call(restUrl, 'POST', '/message:send', { message: say('wait 60') });
    expect(await response.json()).toMatchObject({
      task: { status: { state: expect.stringMatching(/SUBMITTED|WORKING/) } },
    });
  });

  it('sends a message and reads and cancels its task', async () => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, 'POST', '/message:send', { message: say('ask me') });
    expect(response.headers.get('content-type')).toBe('application/json');
    const { task } = (await response.json()) as { task: Task };
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      history: [{ role: 'ROLE_USER', content: [{ text: 'ask me' }] }, {}],
    });
    expect(await (await call(restUrl, 'GET', `/tasks/${task.id}?historyLength=1`)).json()).toMatchObject({
      id: task.id,
      history: [{ role: 'ROLE_AGENT' }],
    });
    expect(await (await call(restUrl, 'POST', `/tasks/${task.id}:cancel`)).json()).toMatchObject({
      status: { state: 'TASK_STATE_CANCELLED' },
    });
  });

  it('accepts the proto names of fields, as clients of Python write them', async () => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, 'POST', '/message:send', {
      message: {
        message_id: 'm-1',
        role: 'ROLE_USER',
        content: [
          { text: 'echo' },
          { file: { file_with_uri: 'https://files.example/a', mime_type: 'text/plain' } },
        ],
        metadata: { snake_case: 1 },
      },
      configuration: { blocking: true, accepted_output_modes: ['text/plain'], history_length: 1 },
    });
    expect(await response.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  it.each([
    ['the configuration', { pushNotificationConfig: { id: 'a', url: 'https://hooks.example' } }],
    [
      'the request of the procedure',
      {
        parent: 'tasks/t',
        config_id: 'a',
        config: { name: '', push_notification_config: { url: 'https://hooks.example' } },
      },
    ],
  ])('accepts a push configuration in the body that is %s', async (_, body) => {
    const { restUrl } = await serveDemo();
    const sent = await call(restUrl, 'POST', '/message:send', { message: say('ask me') });
    const { task } = (await sent.json()) as { task: Task };
    const response = await call(restUrl, 'POST', `/tasks/${task.id}/pushNotificationConfigs`, body);
    expect(await response.json()).toMatchObject({
      name: `tasks/${task.id}/pushNotificationConfigs/a`,
      pushNotificationConfig: { id: 'a', url: 'https://hooks.example' },
    });
  });

  it('names errors as clients of Python recognize them', async () => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, 'GET', '/tasks/none');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: 'TaskNotFoundError', code: -32001 });
  });

  it('waits if nothing is configured, and not if the configuration does not ask for it', async () => {
    const { restUrl } = await serveDemo();
    const send = async (text: string, configuration?: object) => {
      const response = await call(restUrl, 'POST', '/message:send', {
        message: say(text),
        configuration,
      });
      return ((await response.json()) as { task: Task }).task.status.state;
    };
    expect(await send('wait 0.1')).toBe('TASK_STATE_COMPLETED');
    expect(await send('wait 0.1', { blocking: true, historyLength: 0 })).toBe('TASK_STATE_COMPLETED');
    expect(await send('wait 60', { acceptedOutputModes: ['text/plain'] })).not.toBe('TASK_STATE_COMPLETED');
  });

  it('streams bare events with ids', async () => {
    const { restUrl } = await serveDemo();
    const text = await (
      await call(restUrl, 'POST', '/message:stream', { message: say('count to 2') })
    ).text();
    expect(text).toMatch(/^id: 1\ndata: \{"task":/);
    expect(text).toMatch(/\{"artifactUpdate":/);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^data: \{"statusUpdate":.*"final":true\}\}$/);
  });

  it('carries files and data in both directions', async () => {
    const { restUrl } = await serveDemo();
    const file = await (await call(restUrl, 'POST', '/message:send', { message: say('file') })).text();
    expect(file).toMatch(/\{"file":\{"fileWithBytes":"[^"]+","mimeType":"[^"]+","name":"planets.csv"\}\}/);
    const content = [
      { text: 'echo it' },
      { file: { fileWithUri: 'https://files.example/a', mimeType: 'text/plain' } },
      { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain' } },
      { data: { data: { a: 1 } } },
    ];
    const response = await call(restUrl, 'POST', '/message:send', { message: { ...say(''), content } });
    expect(await response.json()).toMatchObject({ task: { history: [{ content }, {}] } });
  });

  it.each<[string, string, unknown, number, number]>([
    ['GET', '/tasks/nobody', undefined, 404, -32001],
    ['POST', '/message:send', {}, 400, -32602],
    ['POST', '/message:send', { message: { ...say('x'), content: [{}] } }, 400, -32602],
    ['GET', '/tasks/t-1/pushNotificationConfigs', undefined, 404, -32001],
    ['GET', '/card', undefined, 400, -32004],
    ['GET', '/tasks', undefined, 404, -32601],
    ['GET', '/extendedAgentCard', undefined, 404, -32601],
    ['DELETE', '/message:send', undefined, 405, -32601],
  ])('answers %s %s with the bare error of 0.3', async (verb, path, body, status, code) => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, verb, path, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, message: expect.any(String) });
  });

  const content = (...parts: unknown[]) => ({ message: { ...say(''), content: parts } });

  it.each<[unknown, string]>([
    [[], 'expected an object, found an empty array'],
    [{ message: 'hello' }, 'message: expected an object, found "hello"'],
    [
      { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
      'message.content: expected an array, found nothing; only JSON-RPC calls this field parts',
    ],
    [{ message: { ...say(''), content: 'x' } }, 'message.content: expected an array, found "x"'],
    [content('x'), 'message.content[0]: expected an object, found "x"'],
    [
      content({ text: 'x' }, { kind: 'url' }),
      'message.content[1]: expected exactly one of text, file and data, found an object with kind',
    ],
    [content({ text: 5 }), 'message.content[0].text: expected a string, found 5'],
    [
      content({ file: { bytes: 'aGk=' } }),
      'message.content[0].file: expected exactly one of fileWithBytes and fileWithUri, found an object with bytes',
    ],
    [
      content({ file: { fileWithBytes: 5 } }),
      'message.content[0].file.fileWithBytes: expected a string, found 5',
    ],
    [content({ data: 'x' }), 'message.content[0].data: expected an object, found "x"'],
    [content({ data: {} }), 'message.content[0].data.data: expected an object, found nothing'],
    [{ message: say('x'), configuration: 'x' }, 'configuration: expected an object, found "x"'],
    [
      { message: say('x'), configuration: { blocking: 'x' } },
      'configuration.blocking: expected a boolean, found "x"',
    ],
    [
      { message: say('x'), configuration: { pushNotification: {} } },
      'configuration.pushNotification.url: expected a string, found nothing',
    ],
  ])('describes errors in the message %j in its own terms', async (body, violation) => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, 'POST', '/message:send', body);
    expect(await response.json()).toMatchObject({
      code: -32602,
      message: `Invalid parameters. ${violation}.`,
    });
  });

  it('describes errors in a push configuration in its own terms', async () => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, 'POST', '/tasks/t-1/pushNotificationConfigs', {
      pushNotificationConfig: { id: 'a' },
    });
    expect(await response.json()).toMatchObject({
      message: 'Invalid parameters. pushNotificationConfig.url: expected a string, found nothing.',
    });
  });

  it.each([
    ['GET', '/nope', 'A2A 0.3 has no path "/a2a/rest/v1/nope".'],
    ['POST', '/message:send/', 'A2A 0.3 has no path "/a2a/rest/v1/message:send/".'],
    ['POST', '/tasks?a=b', 'A2A 0.3 has no path "/a2a/rest/v1/tasks".'],
    ['GET', '/acme/tasks/t-1', 'A2A 0.3 has no path "/a2a/rest/v1/acme/tasks/t-1".'],
    ['DELETE', '/card', '"/a2a/rest/v1/card" does not support DELETE. Use GET.'],
  ])('says for %s %s which version has no such path', async (verb, path, message) => {
    const { restUrl } = await serveDemo();
    const response = await call(restUrl, verb, path);
    expect(await response.json()).toMatchObject({ code: -32601, message: expect.stringContaining(message) });
  });
});
