import { request } from 'node:http';
import { A2AError } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import type { Authentication } from './auth/authentication.ts';
import { origin } from '../settings.ts';
import type { HttpHandlerOptions } from './http-handler.ts';
import { callJsonRpc, callRest, MESSAGE, startTestServer } from './testing/test-server.ts';

const PAGE = 'https://app.example';
const CORS = { cors: { origins: [PAGE] } };

/** Counts what it is asked, and accepts nobody. */
function closedAuthentication(): Authentication & { asked: number } {
  return {
    asked: 0,
    authenticate() {
      this.asked += 1;
      return Promise.reject(new A2AError('UNAUTHENTICATED', 'Nobody.'));
    },
    securitySchemes: { key: { apiKeySecurityScheme: { name: 'X-Agent-Key', location: 'header' } } },
    challenge: 'Bearer',
  };
}

function preflight(url: string, page = PAGE, method = 'POST'): Promise<Response> {
  return fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: page,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'a2a-version,authorization,content-type',
    },
  });
}

function corsHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe('by default', () => {
  it.each(['/.well-known/agent-card.json', '/.well-known/agent.json'])(
    'every page may read %s, with a version',
    async (path) => {
      const url = await startTestServer();
      const asked = await preflight(`${url}${path}`, PAGE, 'GET');
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-origin')).toBe('*');
      expect(asked.headers.get('access-control-allow-headers')).toContain('A2A-Version');
      const card = await fetch(`${url}${path}`, { headers: { Origin: PAGE, 'A2A-Version': '1.0' } });
      expect(card.headers.get('access-control-allow-origin')).toBe('*');
      expect(card.headers.has('access-control-allow-credentials')).toBe(false);
    },
  );

  it('a copy of the card that a cache got without an origin can be given to a page', async () => {
    const url = await startTestServer();
    const card = await fetch(`${url}/.well-known/agent-card.json`);
    expect(card.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('no page may call anything else', async () => {
    const authentication = closedAuthentication();
    const url = await startTestServer({ authentication });
    for (const path of ['/a2a/jsonrpc', '/a2a/rest/message:send', '/a2a/rest/tasks', '/', '/healthz']) {
      const refused = await preflight(`${url}${path}`);
      expect(refused.status).toBe(403);
      expect(corsHeaders(refused)).toEqual({});
      expect(await refused.json()).toMatchObject({
        error: { message: expect.stringContaining(`"${PAGE}"`) as string },
      });
    }
    expect(authentication.asked).toBe(0);
    const answer = await fetch(`${url}/healthz`, { headers: { Origin: PAGE } });
    expect(corsHeaders(answer)).toEqual({});
  });

  it('a fallback keeps its own rules', async () => {
    const url = await startTestServer({
      fallback: (_path, _query, _request, response) => {
        response.writeHead(204, { 'Access-Control-Allow-Origin': 'https://own.example' }).end();
        return true;
      },
    });
    const answer = await preflight(`${url}/own`);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://own.example');
  });
});

describe('with origins', () => {
  it.each(['/a2a/jsonrpc', '/a2a/rest/message:stream', '/a2a/rest/v1/tasks/1', '/v1/own'])(
    'a preflight request to %s is answered before anything else',
    async (path) => {
      const authentication = closedAuthentication();
      const paths: string[] = [];
      const url = await startTestServer({
        ...CORS,
        authentication,
        fallback: (asked) => paths.push(asked) > 0,
      });
      const answer = await preflight(`${url}${path}`);
      expect(answer.status).toBe(204);
      expect(corsHeaders(answer)).toEqual({
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, A2A-Version, A2A-Extensions, X-A2A-Extensions, Last-Event-ID, ' +
          'Holdword-Resume-After, Idempotency-Key, traceparent, tracestate, X-Agent-Key',
        'access-control-expose-headers':
          'A2A-Extensions, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate',
        'access-control-max-age': '7200',
      });
      expect(answer.headers.get('vary')).toBe('Origin');
      expect([authentication.asked, paths]).toEqual([0, []]);
    },
  );

  it('an allowed page may read answers, errors and streams', async () => {
    const url = await startTestServer(CORS);
    const answers = [
      await callJsonRpc(url, 'SendMessage', { message: MESSAGE }, { Origin: PAGE }),
      await callJsonRpc(url, 'SendStreamingMessage', { message: MESSAGE }, { Origin: PAGE }),
      await callJsonRpc(url, 'Nonsense', {}, { Origin: PAGE }),
      await callRest(url, 'POST', '/message:send', { message: MESSAGE }, { Origin: PAGE }),
      await callRest(url, 'POST', '/message:stream', { message: MESSAGE }, { Origin: PAGE }),
      await callRest(url, 'GET', '/nowhere', undefined, { Origin: PAGE }),
      await callRest(url, 'POST', '/message:send', 'x'.repeat(2_000_000), { Origin: PAGE }),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(answer.headers.get('vary')).toBe('Origin');
      await answer.text();
    }
  });

  it('a page whose credential is refused can read why', async () => {
    const url = await startTestServer({ ...CORS, authentication: closedAuthentication() });
    const answer = await callJsonRpc(url, 'SendMessage', { message: MESSAGE }, { Origin: PAGE });
    expect(answer.status).toBe(401);
    expect(corsHeaders(answer)).toMatchObject({ 'access-control-allow-origin': PAGE });
  });

  it.each(['https://app.example:444', 'http://app.example', 'https://app.example.evil', 'null'])(
    '%s is another origin',
    async (other) => {
      const url = await startTestServer(CORS);
      expect((await preflight(`${url}/a2a/jsonrpc`, other)).status).toBe(403);
      const answer = await callRest(url, 'GET', '/tasks', undefined, { Origin: other });
      expect(corsHeaders(answer)).toEqual({});
    },
  );

  it('caches learn that answers depend on the origin, from requests without one as well', async () => {
    const url = await startTestServer(CORS);
    expect((await callRest(url, 'GET', '/tasks')).headers.get('vary')).toBe('Origin');
  });

  it('other headers can be allowed', async () => {
    const url = await startTestServer({ cors: { origins: [PAGE], headers: ['X-Agent-ID'] } });
    const answer = await preflight(`${url}/a2a/jsonrpc`);
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/, X-Agent-ID$/);
  });

  it('* allows every origin, without credentials', async () => {
    const url = await startTestServer({ cors: { origins: ['*'] } });
    const answer = await callRest(url, 'GET', '/tasks', undefined, { Origin: 'https://any.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    expect(answer.headers.has('vary')).toBe(false);
  });

  it('a page that reaches this machine by another name is refused all the same', async () => {
    const url = await startTestServer(CORS);
    const { port } = new URL(url);
    const headers = { Origin: PAGE, Host: `rebound.example:${port}` };
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${url}/a2a/rest/tasks?A2A-Version=1.0`, { headers }, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.on('error', reject).end();
    });
    expect(status).toBe(403);
  });

  it.each([['app.example'], ['https://app.example/'], ['https://App.example'], ['null'], [7]])(
    'rejects the origin %j',
    async (given) => {
      const options = { cors: { origins: [given] } } as Partial<HttpHandlerOptions>;
      await expect(startTestServer(options)).rejects.toThrow(/cors\.origins/);
    },
  );
});

it.each([
  ['https://app.example', true],
  ['http://localhost:5173', true],
  ['http://[::1]:5173', true],
  ['*', true],
  ['https://app.example:443', false],
  ['file://', false],
  ['https://*.example', false],
])('%j is an origin: %j', (text, is) => {
  expect(origin.safeParse(text).success).toBe(is);
});
