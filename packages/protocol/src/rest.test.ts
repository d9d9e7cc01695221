import { describe, expect, it } from 'vitest';
import { OPERATION_NAMES, OPERATIONS } from './operations.ts';
import { decodeRestRequest, matchRestRoute } from './rest.ts';

const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
const config = { url: 'https://hook.example' };

function decode(verb: string, target: string, body?: unknown) {
  const [path = '', query] = target.split('?');
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return decodeRestRequest(matchRestRoute(verb, path), new URLSearchParams(query), text);
}

const CALLS: [verb: string, path: string, body: unknown, operation: string, request: object][] = [
  ['POST', '/message:send', { message }, 'sendMessage', { message }],
  ['POST', '/message:stream', { message }, 'sendStreamingMessage', { message }],
  ['GET', '/tasks/t-1?historyLength=0', undefined, 'getTask', { id: 't-1', historyLength: 0 }],
  ['GET', '/tasks', undefined, 'listTasks', {}],
  ['POST', '/tasks/t-1:cancel', undefined, 'cancelTask', { id: 't-1' }],
  ['POST', '/tasks/t-1:cancel', { metadata: { a: 1 } }, 'cancelTask', { id: 't-1', metadata: { a: 1 } }],
  ['GET', '/tasks/t-1:subscribe', undefined, 'subscribeToTask', { id: 't-1' }],
  ['POST', '/tasks/t-1:subscribe', undefined, 'subscribeToTask', { id: 't-1' }],
  [
    'POST',
    '/tasks/t-1/pushNotificationConfigs',
    config,
    'createTaskPushNotificationConfig',
    { taskId: 't-1', ...config },
  ],
  [
    'GET',
    '/tasks/t-1/pushNotificationConfigs?pageSize=7&pageToken=p',
    undefined,
    'listTaskPushNotificationConfigs',
    { taskId: 't-1', pageSize: 7, pageToken: 'p' },
  ],
  [
    'GET',
    '/tasks/t-1/pushNotificationConfigs/c-1',
    undefined,
    'getTaskPushNotificationConfig',
    { taskId: 't-1', id: 'c-1' },
  ],
  [
    'DELETE',
    '/tasks/t-1/pushNotificationConfigs/c-1',
    undefined,
    'deleteTaskPushNotificationConfig',
    { taskId: 't-1', id: 'c-1' },
  ],
  ['GET', '/extendedAgentCard', undefined, 'getExtendedAgentCard', {}],
];

describe.each(CALLS)('%s %s', (verb, path, body, operation, request) => {
  it('is decoded', () => {
    expect(decode(verb, path, body)).toEqual({ operation, request });
  });

  it('is decoded below a tenant', () => {
    expect(decode(verb, `/acme%20inc${path}`, body)).toEqual({
      operation,
      request: { ...request, tenant: 'acme inc' },
    });
  });
});

it('has a path for every operation', () => {
  const matched = OPERATION_NAMES.flatMap((name) =>
    OPERATIONS[name].rest.verbs.map(
      (verb) => matchRestRoute(verb, `/${OPERATIONS[name].rest.path}`).operation,
    ),
  );
  expect(new Set(matched)).toEqual(new Set(OPERATION_NAMES));
});

describe('a path', () => {
  it('may have any character in an ID', () => {
    expect(decode('GET', '/tasks/a%2Fb%3Acancel')).toMatchObject({
      operation: 'getTask',
      request: { id: 'a/b:cancel' },
    });
    expect(decode('GET', '/tasks/urn:task:1')).toMatchObject({
      operation: 'getTask',
      request: { id: 'urn:task:1' },
    });
  });

  it('is first matched without a tenant', () => {
    expect(decode('GET', '/tasks/tasks')).toEqual({ operation: 'getTask', request: { id: 'tasks' } });
  });

  it.each(['/', '', '/nonsense', '/tasks/', '/tasks/t-1/nonsense', '/a/b/tasks', '/v1/message'])(
    'that is unknown is rejected: %j',
    (path) => {
      expect(() => matchRestRoute('GET', path)).toThrow(
        expect.objectContaining({ code: 'METHOD_NOT_FOUND', metadata: {} }),
      );
    },
  );

  it.each([
    ['GET', '/message:send', 'POST'],
    ['GET', '/tasks/t-1:cancel', 'POST'],
    ['DELETE', '/tasks/t-1:subscribe', 'GET, POST'],
    ['PUT', '/acme/tasks/t-1/pushNotificationConfigs', 'GET, POST'],
    ['constructor', '/tasks', 'GET'],
  ])('that does not support %s lists what it supports: %s', (verb, path, allowedVerbs) => {
    expect(() => matchRestRoute(verb, path)).toThrow(
      expect.objectContaining({ code: 'METHOD_NOT_FOUND', metadata: { allowedVerbs } }),
    );
  });

  it('with an invalid escape is rejected', () => {
    expect(() => matchRestRoute('GET', '/tasks/%E0%A4')).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', fields: [expect.objectContaining({ field: 'id' })] }),
    );
  });
});

describe('a query', () => {
  it('is decoded with the type of every filter', () => {
    const query =
      'contextId=c&status=TASK_STATE_WORKING&pageSize=10&pageToken=p&historyLength=2' +
      '&statusTimestampAfter=2026-01-31T12%3A00%3A00Z&includeArtifacts=true';
    expect(decode('GET', `/tasks?${query}`).request).toEqual({
      contextId: 'c',
      status: 'TASK_STATE_WORKING',
      pageSize: 10,
      pageToken: 'p',
      historyLength: 2,
      statusTimestampAfter: '2026-01-31T12:00:00Z',
      includeArtifacts: true,
    });
  });

  it('may have empty parameters, service parameters and proto names', () => {
    expect(
      decode('GET', '/tasks?status=3&contextId=&A2A-Version=1.0&page_size=7&include_artifacts=false').request,
    ).toEqual({ includeArtifacts: false, pageSize: 7, status: 'TASK_STATE_COMPLETED' });
    expect(decode('GET', '/tasks/t-1?history_length=2&later=1').request).toEqual({
      id: 't-1',
      historyLength: 2,
    });
  });

  it.each([
    ['/tasks?state=completed', 'state: unknown field; the fields of this request are tenant, contextId'],
    ['/tasks?contextID=c', 'contextID: unknown field; did you mean contextId?'],
    ['/tasks/t-1?historyLenght=0', 'historyLenght: unknown field; did you mean historyLength?'],
  ])('does not ignore a mistake that would change the answer: %s', (path, problem) => {
    expect(() => decode('GET', path)).toThrow(problem);
  });

  it('may contain the tenant', () => {
    expect(decode('GET', '/tasks/t-1?tenant=acme').request).toEqual({ id: 't-1', tenant: 'acme' });
  });

  it.each([
    ['pageSize=ten', 'pageSize', 'expected one integer, found "ten"'],
    ['pageSize=1.5', 'pageSize', 'expected one integer, found "1.5"'],
    ['pageSize=1&pageSize=2', 'pageSize', 'expected one integer, found "1" and "2"'],
    ['pageSize=0', 'pageSize', 'expected a number of at least 1, found 0'],
    ['historyLength=-1', 'historyLength', 'expected a number of at least 0, found -1'],
    ['includeArtifacts=True', 'includeArtifacts', 'expected one boolean, true or false, found "True"'],
    ['status=working', 'status', expect.stringContaining('found "working"')],
  ])('with %s is rejected', (query, field, description) => {
    expect(() => decode('GET', `/tasks?${query}`)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', fields: [{ field, description }] }),
    );
  });
});

describe('a body', () => {
  it.each([
    ['{"message"', 'PARSE_ERROR'],
    ['[]', 'INVALID_PARAMS'],
    ['"text"', 'INVALID_PARAMS'],
    ['{}', 'INVALID_PARAMS'],
  ])('%s is rejected as %s', (body, code) => {
    expect(() => decode('POST', '/message:send', body)).toThrow(expect.objectContaining({ code }));
  });

  it('may contain the tenant if the path does not', () => {
    expect(decode('POST', '/message:send', { tenant: 'acme', message }).request).toMatchObject({
      tenant: 'acme',
    });
  });

  it('may repeat the fields of the path', () => {
    const repeated = { ...config, taskId: 't-1', tenant: '' };
    expect(decode('POST', '/acme/tasks/t-1/pushNotificationConfigs', repeated).request).toEqual({
      ...config,
      taskId: 't-1',
      tenant: 'acme',
    });
  });

  it('may not contradict the path', () => {
    expect(() => decode('POST', '/tasks/t-1/pushNotificationConfigs', { ...config, taskId: 't-2' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMS',
        fields: [expect.objectContaining({ field: 'taskId' })],
      }),
    );
  });
});
