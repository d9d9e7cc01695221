import { expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

/** Sends a bare request, as a program without an MCP client does. */
async function post(hub: TestHub, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${hub.url}/v1/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer: { result?: Record<string, unknown>; error?: { message: string } } = JSON.parse(
    await response.text(),
  );
  return { ...answer, status: response.status, type: response.headers.get('content-type') };
}

function toolCall(name: string, input: object) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
}

test('answers the first request without a handshake, with a single JSON response', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const answer = await post(hub, toolCall('list_sessions', {}), headers);
  expect(answer).toMatchObject({ status: 200, type: expect.stringContaining('application/json') });
  expect(JSON.stringify(answer.result)).toContain('can_be_continued');
});

test('rejects tool input that violates the schema', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const answer = await post(hub, toolCall('list_sessions', { limit: 1_000 }), headers);
  expect(JSON.stringify(answer)).toContain('limit');
  expect(answer.result?.['isError'] ?? 'error' in answer).toBe(true);
});

test('rejects each invalid call of a batch separately', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const calls = [
    { name: 'lisst_sessions' },
    { name: 'list_sessions', arguments: { limit: 0 } },
    { name: 'handoff_get', arguments: { handoff_id: 'none' } },
    { name: 'list_sessions', arguments: { limit: 1 } },
  ];
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/batch', params: { calls } };
  expect((await post(hub, request, headers)).result).toMatchObject({
    succeeded: 1,
    failed: 3,
    results: [
      { ok: false, error: { message: 'Unknown tool "lisst_sessions". Did you mean list_sessions?' } },
      { ok: false, error: { message: expect.stringMatching(/^list_sessions: limit is invalid\./) } },
      { ok: false, error: { message: 'Hand-off not found.' } },
      { ok: true },
    ],
  });
});

test.each([
  ['http://attacker.example', 403],
  ['null', 403],
  ['http://localhost:6274', 200],
  ['http://127.0.0.1', 200],
])('answers a page of %s with %i', async (origin, status) => {
  const hub = await startTestHub();
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect((await post(hub, listing, { Origin: origin })).status).toBe(status);
});

test('rejects a request body that is too large', async () => {
  const hub = await startTestHub({ settings: { bodyBytes: 2_048 } });
  const { status } = await post(hub, toolCall('reflect', { reflection: 'x'.repeat(4_000) }));
  expect(status).toBe(413);
});

test('explains why an invalid request is rejected', async () => {
  const hub = await startTestHub();
  expect(await post(hub, '{"jsonrpc":')).toMatchObject({
    status: 400,
    error: { message: expect.any(String) },
  });
  const unknown = await post(hub, { jsonrpc: '2.0', id: 1, method: 'tools/none', params: {} });
  expect(unknown.error?.message).toMatch(/not found/i);
  const misspelled = await post(hub, toolCall('handoff_lst', {}));
  expect(misspelled.error?.message).toBe('Unknown tool "handoff_lst". Did you mean handoff_list?');
});
