import { RESUME_EXTENSION } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { fakeOperations } from './testing/fake-operations.ts';
import { callJsonRpc, MESSAGE, startTestServer } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

describe('a request', () => {
  it('is answered in its JSON-RPC envelope', async () => {
    const response = await callJsonRpc(await startTestServer(), 'SendMessage', { message: MESSAGE });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 'r-1',
      result: { task: { id: 't-1', history: [MESSAGE] } },
    });
  });

  it('is answered at the path with a trailing slash, and with the version in the query', async () => {
    const response = await fetch(`${await startTestServer()}/a2a/jsonrpc/?A2A-Version=1.0`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t-9"}}',
    });
    expect(await response.json()).toMatchObject({ id: 1, result: { id: 't-9' } });
  });

  it('without a version is 0.3; a 1.0 method is answered with the header to send', async () => {
    const url = await startTestServer();
    const response = await callJsonRpc(url, 'GetTask', { id: 't-9' }, { 'A2A-Version': '' });
    expect(await response.json()).toMatchObject({
      id: 'r-1',
      error: { code: -32601, message: expect.stringContaining('A2A-Version: 1.0') },
    });
  });

  it('carries the caller, the tenant and the service parameters', async () => {
    const operations = fakeOperations();
    const url = await startTestServer({ operations, authentication: userAuthentication });
    const response = await callJsonRpc(
      url,
      'GetTask',
      { id: 't-1', tenant: 'acme' },
      {
        'X-User': 'alice',
        'Idempotency-Key': 'k-1',
        'Last-Event-ID': '7',
        'A2A-Extensions': `${RESUME_EXTENSION}, urn:unknown`,
      },
    );
    expect(response.headers.get('a2a-extensions')).toBe(RESUME_EXTENSION);
    expect(operations.calls[0]).toMatchObject({
      owner: { tenant: 'acme', caller: 'alice', authenticated: true },
      idempotencyKey: 'k-1',
      resumeAfter: 7,
      extensions: new Set([RESUME_EXTENSION, 'urn:unknown']),
    });
  });
});

describe('a stream', () => {
  it('has an id and an envelope in each event', async () => {
    const response = await callJsonRpc(await startTestServer(), 'SubscribeToTask', { id: 't-1' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events = (await response.text()).trimEnd().split('\n\n');
    expect(events).toHaveLength(2);
    expect(events[1]).toMatch(/^id: 2\ndata: \{"jsonrpc":"2.0","id":"r-1","result":\{"statusUpdate":.*\}\}$/);
  });

  it('that is rejected is an ordinary error', async () => {
    const url = await startTestServer();
    const response = await callJsonRpc(url, 'SendStreamingMessage', { message: { ...MESSAGE, parts: [] } });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 'r-1', error: { code: -32602 } });
  });
});

describe('an error', () => {
  it('names the invalid fields', async () => {
    const response = await callJsonRpc(await startTestServer(), 'GetTask', { id: 't-1', historyLength: -1 });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: 'r-1',
      error: {
        code: -32602,
        data: [{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field: 'historyLength' }] }],
      },
    });
  });

  it('hides internal failures from the caller, and logs them', async () => {
    const failures: unknown[] = [];
    const log = { info() {}, warn() {}, error: (_: string, fields?: object) => failures.push(fields) };
    const response = await callJsonRpc(await startTestServer({ log }), 'GetTask', { id: 'broken' });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32603 } });
    expect(text).not.toContain('secret');
    expect(failures).toEqual([{ error: 'Error: secret inner text' }]);
  });

  it.each([
    ['text that is not JSON', '{"jsonrpc"', -32700],
    ['a batch', '[]', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":4,"method":"Nothing"}', -32601],
  ])('says that it found %s', async (_, body, code) => {
    const response = await fetch(`${await startTestServer()}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'A2A-Version': '1.0' },
      body,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('rejects a body of type %s', async (type) => {
    const response = await callJsonRpc(await startTestServer(), 'GetTask', {}, { 'Content-Type': type });
    expect(await response.json()).toMatchObject({ error: { code: -32005 } });
  });

  it('rejects an unsupported version, with the id of the request', async () => {
    const response = await callJsonRpc(
      await startTestServer(),
      'GetTask',
      { id: 't-1' },
      { 'A2A-Version': '2.0' },
    );
    expect(await response.json()).toMatchObject({ id: 'r-1', error: { code: -32009 } });
  });

  it.each(['-1', 'x', '1.5'])('rejects the cursor %s', async (cursor) => {
    const url = await startTestServer();
    const response = await callJsonRpc(url, 'SubscribeToTask', { id: 't-1' }, { 'Last-Event-ID': cursor });
    expect(await response.json()).toMatchObject({
      error: { code: -32602, data: [{}, { fieldViolations: [{ field: 'Last-Event-ID' }] }] },
    });
  });

  it('rejects an idempotency key that is too long', async () => {
    const url = await startTestServer();
    const headers = { 'Idempotency-Key': 'k'.repeat(256) };
    const response = await callJsonRpc(url, 'SendMessage', { message: MESSAGE }, headers);
    expect(await response.json()).toMatchObject({ error: { code: -32602 } });
  });
});

describe('a body over the limit', () => {
  const params = { message: { ...MESSAGE, parts: [{ text: 'x'.repeat(100_000) }] } };

  it('is an error in an envelope, whether its length is declared or not', async () => {
    const url = await startTestServer({ limits: { bodyBytes: 10_000 } });
    const declared = await callJsonRpc(url, 'SendMessage', params);
    const chunked = await fetch(`${url}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: new Blob([JSON.stringify({ params })]).stream(),
      duplex: 'half',
    });
    for (const response of [declared, chunked]) {
      expect(response.status).toBe(413);
      expect(response.headers.get('connection')).toBe('close');
      expect(await response.json()).toMatchObject({
        id: null,
        error: { code: -32094, message: expect.stringContaining('10000 bytes') },
      });
    }
  });

  it('of exactly the limit is read', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method: 'GetTask', params: { id: 't-1' } });
    const url = await startTestServer({ limits: { bodyBytes: body.length } });
    expect((await callJsonRpc(url, 'GetTask', { id: 't-1' })).status).toBe(200);
  });
});

describe('authentication', () => {
  it.each([{}, { 'X-User': 'wrong' }])('rejects %j before anything else', async (headers) => {
    const operations = fakeOperations();
    const url = await startTestServer({ operations, authentication: userAuthentication });
    const response = await callJsonRpc(url, 'GetTask', { id: 'unknown' }, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32090 } });
    expect(operations.calls).toEqual([]);
  });

  it('rejects a tenant that the caller does not belong to', async () => {
    const authentication = {
      ...userAuthentication,
      authenticate: async () => ({ id: 'alice', authenticated: true, tenant: 'acme' }),
    };
    const url = await startTestServer({ authentication });
    expect((await callJsonRpc(url, 'GetTask', { id: 't-1', tenant: 'acme' })).status).toBe(200);
    const refused = await callJsonRpc(url, 'GetTask', { id: 't-1', tenant: 'other' });
    expect(refused.status).toBe(403);
  });

  it('returns the extended card only to authenticated callers', async () => {
    const undeclared = await callJsonRpc(await startTestServer(), 'GetExtendedAgentCard', {});
    expect(await undeclared.json()).toMatchObject({ error: { code: -32004 } });

    const anonymous = await startTestServer({ extendedCard: async () => ({ name: 'Extended' }) });
    expect((await callJsonRpc(anonymous, 'GetExtendedAgentCard', {})).status).toBe(401);

    const authentication = userAuthentication;
    const headers = { 'X-User': 'alice' };
    const url = await startTestServer({ authentication, extendedCard: async () => ({ name: 'Extended' }) });
    expect(await (await callJsonRpc(url, 'GetExtendedAgentCard', {}, headers)).json()).toMatchObject({
      result: { name: 'Extended' },
    });

    const unset = await startTestServer({ authentication, extendedCard: async () => undefined });
    expect(await (await callJsonRpc(unset, 'GetExtendedAgentCard', {}, headers)).json()).toMatchObject({
      error: { code: -32007 },
    });
  });
});
