import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { A2ATools } from '../tools/a2a-tools.ts';
import { McpToolServer } from './mcp-tool-server.ts';
import {
  hasToken,
  LegacySessions,
  type McpHttpOptions,
  type ServedMcp,
  serveMcpHttp,
} from './serve-mcp-http.ts';

async function serve(options: Partial<McpHttpOptions> = {}): Promise<ServedMcp> {
  const tools = new A2ATools(new A2ASession(new A2AAgents()));
  const served = await serveMcpHttp(new McpToolServer({ tools, version: '1.0.0' }), { port: 0, ...options });
  onTestFinished(() => served.close());
  return served;
}

/** Sends a request with headers that `fetch` does not allow. */
function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
  };
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify(message));
  });
}

test('answers only programs and pages on this machine', async () => {
  const { url } = await serve();
  expect(await statusOf(url)).toBe(200);
  expect(await statusOf(url, { Origin: 'http://localhost:6274' })).toBe(200);
  expect(await statusOf(url, { Host: 'attacker.example' })).toBe(403);
  expect(await statusOf(url, { Origin: 'https://attacker.example' })).toBe(403);
  expect(await statusOf(url, { Origin: 'null' })).toBe(403);
});

test('with a token, answers callers that have it, for any host name', async () => {
  const { url } = await serve({ token: 'secret' });
  expect(await statusOf(url)).toBe(401);
  expect(await statusOf(url, { Authorization: 'Bearer other' })).toBe(401);
  expect(await statusOf(url, { Authorization: 'Bearer secret', Host: 'mcp.example' })).toBe(200);
  const fromPage = { Authorization: 'Bearer secret', Origin: 'https://attacker.example' };
  expect(await statusOf(url, fromPage)).toBe(403);
});

test('other paths are not found', async () => {
  const { url } = await serve();
  expect(await statusOf(url.replace('/mcp', '/'))).toBe(404);
});

/** Sends bytes that are not necessarily a request, and returns the first line of the response. */
async function firstLineFor(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(bytes, 'latin1');
  const [line = ''] = Buffer.concat(await socket.toArray())
    .toString()
    .split('\r\n', 1);
  return line;
}

test.each([
  ['//', 404],
  ['///', 404],
  ['//[', 404],
  ['http://[', 404],
  ['*', 404],
  ['/mcp%', 404],
  ['/mcp?%', 405],
  ['http://127.0.0.1/mcp', 404],
])('answers a request for %s', async (target, status) => {
  const { url } = await serve();
  const line = await firstLineFor(
    url,
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
  );
  // What a GET of the endpoint itself gets is up to the protocol.
  expect(line).toMatch(status === 405 ? /^HTTP\/1.1 4\d\d / : `HTTP/1.1 ${status} `);
  expect(await statusOf(url)).toBe(200);
});

test('answers a request with a token for a host that cannot be one', async () => {
  const { url } = await serve({ token: 'secret' });
  const head = 'POST /mcp HTTP/1.1\r\nAuthorization: Bearer secret\r\nConnection: close\r\n';
  expect(await firstLineFor(url, `${head}Host: [\r\n\r\n`)).toContain(' 400 ');
  expect(await firstLineFor(url, `${head}Host: a b\r\n\r\n`)).toContain(' 400 ');
});

test('a network address requires a token', async () => {
  await expect(serve({ host: '0.0.0.0' })).rejects.toThrow('Refusing to listen on 0.0.0.0 without a token');
  const { url } = await serve({ host: '0.0.0.0', token: 'secret' });
  expect(await statusOf(url, { Authorization: 'Bearer secret' })).toBe(200);
});

test('the error for a port in use says what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(serve({ port })).rejects.toThrow(`port ${port}: the port is already in use`);
});

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
};

function openSessions(most: number): LegacySessions {
  const tools = new A2ATools(new A2ASession(new A2AAgents()));
  const server = new McpToolServer({ tools, version: '1.0.0' });
  return new LegacySessions(() => server.open(), most);
}

function post(message: object, sessionId?: string | null): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...HEADERS, ...(sessionId && { 'Mcp-Session-Id': sessionId }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

async function begin(sessions: LegacySessions): Promise<string | null> {
  const response = await sessions.handle(post(INITIALIZE));
  expect(await response.text()).toContain('"name":"holdword"');
  return response.headers.get('mcp-session-id');
}

test('requests of a session reach its server', async () => {
  const sessions = openSessions(2);
  const response = await sessions.handle(post({ method: 'tools/list' }, await begin(sessions)));
  expect(await response.text()).toContain('sendMessage');
  await sessions.close();
});

test('the least recently used session is closed if there are too many', async () => {
  const sessions = openSessions(2);
  const [first, second] = [await begin(sessions), await begin(sessions)];
  await sessions.handle(post({ method: 'ping' }, first));
  const third = await begin(sessions);
  const status = async (id: string | null) => (await sessions.handle(post({ method: 'ping' }, id))).status;
  expect([await status(first), await status(second), await status(third)]).toEqual([200, 404, 200]);
  await sessions.close();
});

test('a session that its host ends is removed', async () => {
  const sessions = openSessions(2);
  const id = (await begin(sessions)) ?? '';
  const end = new Request('http://localhost/mcp', { method: 'DELETE', headers: { 'Mcp-Session-Id': id } });
  expect((await sessions.handle(end)).status).toBe(200);
  expect((await sessions.handle(post({ method: 'ping' }, id))).status).toBe(404);
});

test('a request without a session is rejected', async () => {
  const response = await openSessions(2).handle(post({ method: 'tools/list' }));
  expect(response.status).toBe(400);
});

test.each(['Bearer secret', 'bearer secret', 'Bearer  secret'])('"%s" has the token', (header) => {
  expect(hasToken(header, 'secret')).toBe(true);
});

test.each([
  undefined,
  '',
  'secret',
  'Basic secret',
  'Bearer',
  'Bearer secre',
  'Bearer secret1',
  'Bearer secret x',
])('"%s" does not have the token', (header) => {
  expect(hasToken(header, 'secret')).toBe(false);
});
