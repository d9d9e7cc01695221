import { expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

/** A bare request, as programs send it that know no MCP. */
async function post(hub: TestHub, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${hub.url}/v1/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer: { result?: Record<string, unknown>; error?: { message: string } } = JSON.parse(
    await response.text(),
  );
  return { status: response.status, type: response.headers.get('content-type'), ...answer };
}

function callOf(name: string, input: object) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
}

test('answers a first request without a handshake, with one JSON text', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const answer = await post(hub, callOf('list_sessions', {}), headers);
  expect(answer).toMatchObject({ status: 200, type: expect.stringContaining('application/json') });
  expect(JSON.stringify(answer.result)).toContain('can_be_continued');
});

test('a tool is refused what its schema does not allow', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const answer = await post(hub, callOf('list_sessions', { limit: 1_000 }), headers);
  expect(JSON.stringify(answer)).toContain('limit');
  expect(answer.result?.['isError'] ?? 'error' in answer).toBe(true);
});

test('a call of a batch is refused by itself', async () => {
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
      { ok: false, error: { message: 'There is no tool lisst_sessions. Did you mean list_sessions?' } },
      { ok: false, error: { message: expect.stringMatching(/^list_sessions: limit is not as expected/) } },
      { ok: false, error: { message: expect.stringContaining('hand-off') } },
      { ok: true },
    ],
  });
});

test('a body that is too large is not read', async () => {
  const hub = await startTestHub({ settings: { bodyBytes: 2_048 } });
  const { status } = await post(hub, callOf('reflect', { reflection: 'x'.repeat(4_000) }));
  expect(status).toBe(413);
});

test('what is no request is refused in words', async () => {
  const hub = await startTestHub();
  expect(await post(hub, '{"jsonrpc":')).toMatchObject({
    status: 400,
    error: { message: expect.any(String) },
  });
  const unknown = await post(hub, { jsonrpc: '2.0', id: 1, method: 'tools/none', params: {} });
  expect(unknown.error?.message).toMatch(/not found/i);
});
