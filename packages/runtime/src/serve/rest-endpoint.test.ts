import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { completedTask, fakeOperations } from './testing/fake-operations.ts';
import { callRest, MESSAGE, startTestServer } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

describe('a request', () => {
  it('for an unknown path is answered with the whole path and the version', async () => {
    const response = await callRest(await startTestServer(), 'GET', '/nope?a=b');
    expect(await response.json()).toMatchObject({
      error: { code: 404, message: 'A2A 1.0 has no path "/a2a/rest/nope".' },
    });
  });

  it.each<[string, string, unknown, unknown]>([
    ['POST', '/message:send', { message: MESSAGE }, { task: { id: 't-1' } }],
    ['GET', '/tasks/t-7?historyLength=2', undefined, completedTask('t-7')],
    ['GET', '/tasks?pageSize=5', undefined, { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 }],
    ['POST', '/tasks/t-7:cancel', undefined, { id: 't-7', status: { state: 'TASK_STATE_CANCELED' } }],
    ['POST', '/tasks/t-7:cancel', { metadata: {} }, { id: 't-7' }],
  ])('%s %s is answered', async (verb, path, body, expected) => {
    const response = await callRest(await startTestServer(), verb, path, body);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/a2a+json');
    expect(response.headers.get('cache-control')).toBe(verb === 'GET' ? 'no-store' : null);
    expect(await response.json()).toMatchObject(expected as object);
  });

  it.each([
    ['POST', '/message:stream', { message: MESSAGE }],
    ['POST', '/tasks/t-1:subscribe', undefined],
    ['GET', '/tasks/t-1:subscribe', undefined],
  ])('%s %s is answered by a stream of bare events', async (verb, path, body) => {
    const response = await callRest(await startTestServer(), verb, path, body);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(
      /^id: 1\ndata: \{"task":.*\}\n\nid: 2\ndata: \{"statusUpdate":.*\}\n\n$/,
    );
  });

  it.each<[string, string, unknown]>([
    ['in the path', '/acme/message:send', { message: MESSAGE }],
    ['in the body', '/message:send', { tenant: 'acme', message: MESSAGE }],
    ['in both', '/acme/message:send', { tenant: 'acme', message: MESSAGE }],
  ])('has its tenant %s', async (_, path, body) => {
    const operations = fakeOperations();
    await callRest(await startTestServer({ operations }), 'POST', path, body);
    expect(operations.calls[0]?.owner).toEqual({ tenant: 'acme', caller: 'anonymous', authenticated: false });
  });

  it('with two different tenants is rejected', async () => {
    const response = await callRest(await startTestServer(), 'POST', '/acme/message:send', {
      tenant: 'other',
      message: MESSAGE,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { details: [{ reason: 'INVALID_PARAMS' }, {}] } });
  });
});

describe('an error', () => {
  it.each<[string, string, unknown, number, string]>([
    ['GET', '/tasks/unknown', undefined, 404, 'TASK_NOT_FOUND'],
    ['GET', '/tasks/broken', undefined, 500, 'INTERNAL'],
    ['GET', '/tasks?pageSize=0', undefined, 400, 'INVALID_PARAMS'],
    ['GET', '/tasks/t-1/pushNotificationConfigs', undefined, 400, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['GET', '/extendedAgentCard', undefined, 400, 'UNSUPPORTED_OPERATION'],
    ['GET', '/nothing', undefined, 404, 'METHOD_NOT_FOUND'],
    ['POST', '/message:send', '{"message":', 400, 'PARSE_ERROR'],
    ['POST', '/message:send', { message: { ...MESSAGE, role: 'user' } }, 400, 'INVALID_PARAMS'],
  ])('of %s %s has its status and reason', async (verb, path, body, status, reason) => {
    const response = await callRest(await startTestServer(), verb, path, body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: object };
    expect(error).toMatchObject({
      code: status,
      details: expect.arrayContaining([expect.objectContaining({ reason })]),
    });
  });

  it.each([
    [{ 'Content-Type': 'text/plain' }, 'Content-Type must be application/json, found "text/plain"'],
    [{ 'Content-Encoding': 'gzip' }, 'Content-Encoding "gzip" is not supported'],
  ])('of a body with %j names the header', async (headers, found) => {
    const url = await startTestServer();
    const response = await callRest(url, 'POST', '/message:send', { message: MESSAGE }, headers);
    expect(await response.json()).toMatchObject({
      error: {
        message: expect.stringContaining(found),
        details: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }],
      },
    });
  });

  it('of a body over the limit is an A2A error', async () => {
    const url = await startTestServer({ limits: { bodyBytes: 50 } });
    const response = await callRest(url, 'POST', '/message:send', { message: MESSAGE });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { details: [{ reason: 'REQUEST_TOO_LARGE' }] } });
  });

  it('of a request without a version says what to send', async () => {
    const url = await startTestServer();
    const response = await callRest(url, 'GET', '/tasks/t-1', undefined, { 'A2A-Version': '' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        message: expect.stringContaining('A2A-Version: 1.0'),
        details: [{ reason: 'VERSION_NOT_SUPPORTED' }],
      },
    });
  });

  it('of a missing credential comes before that of an unknown path', async () => {
    const url = await startTestServer({ authentication: userAuthentication });
    const response = await callRest(url, 'GET', '/nothing');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('the type of an answer', () => {
  it.each([
    [undefined, 'application/a2a+json'],
    ['*/*', 'application/a2a+json'],
    ['application/json', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['application/json;q=0.9, */*;q=0.1', 'application/json'],
    ['application/a2a+json, application/json', 'application/a2a+json'],
    ['text/html', 'application/a2a+json'],
  ])('for Accept: %s is %s', async (accept, expected) => {
    const url = await startTestServer();
    const headers = accept === undefined ? {} : { Accept: accept };
    for (const path of ['/tasks', '/nowhere']) {
      const response = await callRest(url, 'GET', path, undefined, headers);
      expect(response.headers.get('content-type')).toBe(expected);
      await response.text();
    }
  });

  it.each([undefined, 'text/event-stream'])('of an error for Accept: %s is plain JSON', async (accept) => {
    const url = await startTestServer();
    // fetch always sends the header.
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'A2A-Version': '1.0', ...(accept !== undefined && { Accept: accept }) };
      get(`${url}/a2a/rest/nowhere`, { headers }, resolve).on('error', reject);
    });
    response.resume();
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('of a stream is that of server-sent events', async () => {
    const url = await startTestServer();
    const headers = { Accept: 'application/json' };
    const response = await callRest(url, 'POST', '/message:stream', { message: MESSAGE }, headers);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.text();
  });
});
