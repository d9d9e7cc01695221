import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Authentication, noAuthentication } from '../auth/authentication.ts';
import { createHttpHandler, type HttpHandlerOptions } from '../http-handler.ts';
import { buildServedCard } from '../served-card.ts';
import { fakeOperations } from './fake-operations.ts';

export const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };

/** A handler on a real server, closed when the test ends. Returns its URL. */
export async function startTestServer(options: Partial<HttpHandlerOptions> = {}): Promise<string> {
  const authentication = options.authentication ?? noAuthentication();
  const handler = createHttpHandler({
    operations: fakeOperations(),
    card: await testCard(authentication, options.extendedCard !== undefined),
    authentication,
    ...options,
  });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function testCard(authentication: Authentication, hasExtendedCard = false) {
  return buildServedCard({
    agent: { name: 'Test', description: 'An agent for tests.' },
    url: 'http://agent.example',
    authentication,
    hasExtendedCard,
  });
}

export function callJsonRpc(
  url: string,
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/a2a/jsonrpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method, params }),
  });
}

export function callRest(
  url: string,
  verb: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<Response> {
  return fetch(`${url}/a2a/rest${path}`, {
    method: verb,
    headers: {
      'A2A-Version': '1.0',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
