import { expect, test } from 'vitest';
import { A2AAgents } from '../../agents/a2a-agents.ts';
import { A2ASession } from '../../session/a2a-session.ts';
import { A2ATools } from '../../tools/a2a-tools.ts';
import { McpToolServer } from '../mcp-tool-server.ts';
import { LegacySessions } from './legacy-sessions.ts';

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
