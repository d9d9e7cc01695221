import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { A2ATools } from '../tools/a2a-tools.ts';
import { McpToolServer } from './mcp-tool-server.ts';
import { serveMcpHttp, type McpHttpOptions, type ServedMcp } from './serve-mcp-http.ts';

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

test('a network address requires a token', async () => {
  await expect(serve({ host: '0.0.0.0' })).rejects.toThrow('Cannot listen on 0.0.0.0 without a token');
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
