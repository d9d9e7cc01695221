import type { AgentCard } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { apiKeyAuthentication } from './auth/api-key-authentication.ts';
import { noAuthentication } from './auth/authentication.ts';
import { jwtAuthentication } from './auth/jwt-authentication.ts';
import { createHttpHandler, type HttpHandlerOptions } from './http-handler.ts';
import { buildServedCard } from './served-card.ts';
import { callJsonRpc, callRest, startTestServer, testCard } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

const CARD = '/.well-known/agent-card.json';

describe('the cards', () => {
  it('serves a 1.0 card without any field of 0.3 to clients that ask for 1.0', async () => {
    const url = await startTestServer();
    const response = await fetch(url + CARD, { headers: { 'A2A-Version': '1.0' } });
    const card = (await response.json()) as AgentCard;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toContain('max-age=');
    expect(card.supportedInterfaces[0]).toEqual({
      url: 'http://agent.example/a2a/jsonrpc',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    });
    expect(card).not.toHaveProperty('url');
    expect(response.headers.get('vary')).toBe('A2A-Version');
  });

  it('serves a 0.3 card at its own path, and at the shared path to clients that ask for 0.3', async () => {
    const url = await startTestServer();
    const own = await (await fetch(`${url}/.well-known/agent.json`)).json();
    const shared = await (await fetch(url + CARD, { headers: { 'A2A-Version': '0.3' } })).json();
    expect(own).toMatchObject({ protocolVersion: '0.3.0', url: 'http://agent.example/a2a/jsonrpc' });
    expect(shared).toEqual(own);
  });

  it.each([
    ['If-None-Match', 'etag'],
    ['If-Modified-Since', 'last-modified'],
  ])('answers 304 when %s matches the copy of the client', async (condition, validator) => {
    const url = await startTestServer();
    const first = await fetch(url + CARD);
    await first.text();
    const again = await fetch(url + CARD, { headers: { [condition]: first.headers.get(validator) ?? '' } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it('sends the card again when the tag differs, even if the date matches', async () => {
    const url = await startTestServer();
    const headers = {
      'If-None-Match': '"other"',
      'If-Modified-Since': new Date(Date.now() + 9e6).toUTCString(),
    };
    expect((await fetch(url + CARD, { headers })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const url = await startTestServer();
    const get = await fetch(url + CARD);
    const head = await fetch(url + CARD, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
    expect(await head.text()).toBe('');
  });
});

describe('other paths', () => {
  it('describes the agent at / and says at /healthz that it runs', async () => {
    const url = await startTestServer();
    expect(await (await fetch(url)).json()).toMatchObject({ agent: 'Test', card: CARD });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  });

  it('answers an unknown path with a JSON error', async () => {
    const response = await fetch(`${await startTestServer()}/nothing<here>`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: 404, message: expect.stringContaining(CARD) },
    });
  });

  it.each([
    ['GET', '/a2a/jsonrpc', 'POST'],
    ['POST', CARD, 'GET, HEAD'],
    ['PUT', '/a2a/rest/message:send', 'POST'],
  ])('answers %s %s with 405 and the allowed methods', async (verb, path, allowed) => {
    const headers = { 'A2A-Version': '1.0' };
    const response = await fetch((await startTestServer()) + path, { method: verb, headers });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allowed);
    expect(await response.json()).toMatchObject({ error: { code: 405 } });
  });

  it('answers below a base path', async () => {
    const url = await startTestServer({ basePath: '/agents/test/' });
    expect((await fetch(`${url}/agents/test${CARD}`)).status).toBe(200);
    expect(await (await fetch(`${url}/agents/test`)).json()).toMatchObject({ card: `/agents/test${CARD}` });
    const { error } = (await (await fetch(`${url}/agents/test/nothing`)).json()) as {
      error: { message: string };
    };
    expect(error.message).toBe(
      `Path "/agents/test/nothing" not found. The agent card at /agents/test${CARD} lists the agent's URLs.`,
    );
  });
});

function call(url: string, method: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 't-1' } }),
  });
}

describe('custom paths', () => {
  const paths = { card: '/two/card.json', jsonRpc: '/two/rpc', unversionedJsonRpc: '/two/v1' };

  it('are served, and the default ones are not', async () => {
    const url = await startTestServer({ paths });
    expect((await fetch(`${url}/two/card.json`)).status).toBe(200);
    expect((await call(`${url}/two/rpc`, 'tasks/get')).status).toBe(200);
    for (const path of [CARD, '/.well-known/agent.json', '/a2a/jsonrpc', '/a2a/rest/tasks/t-1'])
      expect((await fetch(url + path)).status).toBe(404);
  });

  it('rewrite 1.0 requests only at the unversioned path', async () => {
    const url = await startTestServer({ paths, rewriteUnversioned: (body) => body.replace('t-1', 't-2') });
    const textAt = async (path: string, headers = {}): Promise<string> =>
      (await call(url + path, 'tasks/get', headers)).text();
    expect(await textAt('/two/v1')).toContain('t-2');
    expect(await textAt('/two/v1', { 'A2A-Version': '0.3' })).toContain('t-1');
    expect(await textAt('/two/rpc')).toContain('t-1');
  });

  it('are on the card, one for each version if they differ', async () => {
    const authentication = noAuthentication();
    const agent = { name: 'Test', description: 'An agent for tests.' };
    const url = 'http://agent.example';
    const card = await buildServedCard({ agent, url, authentication, paths, hasExtendedCard: false });
    expect(card.supportedInterfaces.map((each) => [each.protocolVersion, each.url])).toEqual([
      ['1.0', 'http://agent.example/two/v1'],
      ['1.1', 'http://agent.example/two/v1'],
      ['0.3', 'http://agent.example/two/rpc'],
    ]);
  });

  it('may include one for 1.0 clients without a version header, with the method names of either version', async () => {
    const url = await startTestServer({ paths });
    for (const method of ['GetTask', 'tasks/get']) {
      expect(await (await call(`${url}/two/v1`, method)).json()).toMatchObject({
        result: { id: 't-1', status: { state: 'TASK_STATE_COMPLETED' } },
      });
    }
    expect(await (await call(`${url}/two/v1`, 'tasks/get', { 'A2A-Version': '0.3' })).json()).toMatchObject({
      result: { id: 't-1', status: { state: 'completed' } },
    });
  });
});

describe('disabled operations', () => {
  it('do not exist, in any version', async () => {
    const url = await startTestServer({ disabledOperations: new Set(['getTask']) });
    for (const [method, version] of [
      ['GetTask', '1.0'],
      ['tasks/get', '0.3'],
    ] as const) {
      const response = await callJsonRpc(url, method, { id: 't-1' }, { 'A2A-Version': version });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id: 'r-1', error: { code: -32601 } });
    }
    expect((await callRest(url, 'GET', '/tasks/t-1')).status).toBe(404);
  });
});

describe('a card', () => {
  it('for clients that name no version has the fields of both', async () => {
    const url = await startTestServer({ authentication: userAuthentication });
    expect(await (await fetch(url + CARD)).json()).toMatchObject({
      supportedInterfaces: [{ protocolVersion: '1.0' }, {}, { protocolVersion: '1.1' }, {}, {}, {}],
      protocolVersion: '0.3.0',
      url: 'http://agent.example/a2a/jsonrpc',
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: true, extendedAgentCard: false },
      securitySchemes: {
        user: { apiKeySecurityScheme: { name: 'X-User' }, type: 'apiKey', in: 'header', name: 'X-User' },
      },
    });
  });

  it('that is signed has the fields of 1.0 alone, which its signature covers', async () => {
    const signed = {
      ...(await testCard(noAuthentication())),
      signatures: [{ protected: 'p', signature: 's' }],
    };
    const url = await startTestServer({ card: signed });
    expect(await (await fetch(url + CARD)).json()).toEqual(JSON.parse(JSON.stringify(signed)));
  });

  it('names the address that the client used if no other is known', async () => {
    const card = await testCard(noAuthentication());
    const url = await startTestServer({ cardFor: (origin) => ({ ...card, description: origin }) });
    expect(await (await fetch(url + CARD)).json()).toMatchObject({ description: url });
  });

  it('requires no credential if that is optional', async () => {
    const optional = await testCard({ ...userAuthentication, isOptional: true });
    expect(optional.securitySchemes).toHaveProperty('user');
    expect(optional).not.toHaveProperty('securityRequirements');
    expect(await testCard(userAuthentication)).toHaveProperty('securityRequirements');
  });
});

it.each([
  [undefined, 'expected an object, found nothing.'],
  [{}, 'operations: expected the operations of a runtime, such as'],
  [{ operations: { sendMessage() {}, getTask() {} }, card: {} }, 'card: expected a card, such as'],
])('createHttpHandler(%j) says what it needs', (options, problem) => {
  expect(() => createHttpHandler(options as unknown as HttpHandlerOptions)).toThrow(
    `createHttpHandler({ operations, card, authentication }): ${problem}`,
  );
});

it.each<[string, () => unknown, string]>([
  [
    'buildServedCard',
    () => Reflect.apply(buildServedCard, undefined, []),
    'expected an object, found nothing.',
  ],
  [
    'buildServedCard',
    () => Reflect.apply(buildServedCard, undefined, [{ agent: { name: 'A', description: '' }, url: 5 }]),
    'url: expected a string, found 5; authentication: expected an authentication, such as noAuthentication()',
  ],
  ['jwtAuthentication', () => Reflect.apply(jwtAuthentication, undefined, [{}]), 'issuer: expected a string'],
  [
    'apiKeyAuthentication',
    async () => Reflect.apply(apiKeyAuthentication, undefined, []),
    'expected a store, such as await openSqliteStore({ folder }), found nothing.',
  ],
])('%s says what it needs', async (name, invoke, problem) => {
  await expect(invoke()).rejects.toThrow(TypeError);
  await expect(invoke()).rejects.toThrow(new RegExp(`^${name}\\(`));
  await expect(invoke()).rejects.toThrow(problem);
});
