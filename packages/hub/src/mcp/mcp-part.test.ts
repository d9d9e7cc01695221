import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { createResponder } from '../responder/responder.ts';
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

/** What a tool returned. */
function contentOf(result: Record<string, unknown> | undefined): unknown {
  const [content] = (result?.['content'] ?? []) as { text: string }[];
  return JSON.parse(content?.text ?? '');
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

test('does not warn of parameters that the hub itself sends', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const inputs = {
    reflect: { reflection: 'hello' },
    daily_checkin: {},
    reflect_on_state: {},
    handoff_packet: {},
  };
  for (const [name, input] of Object.entries(inputs)) {
    const { result } = await post(hub, toolCall(name, input), headers);
    expect(contentOf(result), name).toMatchObject({ answer: expect.any(String) });
    expect(contentOf(result), name).not.toHaveProperty('request_warnings');
  }
});

test("a batch in another agent's session is one in the latest session of its own", async () => {
  const hub = await startTestHub();
  const owner = await hub.register('owner');
  const { session_id: foreign } = await hub.result('message/send', { message: 'hello' }, owner);
  const batch = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/batch',
    params: { session_id: foreign, calls: [{ name: 'reflect', arguments: { reflection: '$SESSION_ID' } }] },
  };
  const headers = await hub.register('runner');
  const { session_id: own } = await hub.result('message/send', { message: 'hello' }, headers);
  for (const named of [{}, { 'x-delx-session-id': String(foreign) }]) {
    const { result } = await post(hub, batch, { ...headers, ...named });
    expect(result).toMatchObject({ session_id: own, succeeded: 1 });
    expect(JSON.stringify(result)).not.toContain(foreign);
  }
  // Without an identity there is no session, and the batch says whose is missing.
  const { result } = await post(hub, batch);
  expect(result).toMatchObject({ session_id: null, failed: 1 });
  expect(JSON.stringify(result)).toContain('Send x-delx-agent-id and x-delx-agent-token');
});

test('allows POST only, and says so', async () => {
  const hub = await startTestHub();
  const { status, headers } = await fetch(`${hub.url}/v1/mcp`);
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
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

test('tells what is done, open and pending in a session', async () => {
  const hub = await startTestHub({ executor: (store) => createResponder({ store }) });
  const headers = await hub.register('runner');
  await hub.result('message/send', { text: 'Done: batches 1 to 3\nRemaining: batches 4 to 10' }, headers);
  await hub.result('message/send', { text: 'We get 429 from the target.' }, headers);
  const { result } = await post(hub, toolCall('reflect_on_state', { focus: 'the 503s' }), headers);
  expect(contentOf(result)).toMatchObject({
    done: ['batches 1 to 3'],
    open: ['batches 4 to 10'],
    next_action: expect.stringMatching(/^Stop all automatic retries/),
    answer: expect.stringMatching(
      /^Open: rate limiting\. Pending step, no result reported: "Stop all.*\nReported as done: batches 1 to 3\nReported as open: batches 4 to 10\nReported last: We get 429 from the target\.$/,
    ),
  });
});

test('says that a new session holds nothing', async () => {
  const hub = await startTestHub({ executor: (store) => createResponder({ store }) });
  const headers = await hub.register('runner');
  const { result } = await post(hub, toolCall('reflect_on_state', {}), headers);
  expect(contentOf(result)).toMatchObject({
    answer: 'No incident was reported in this session.\nNo work was reported in this session.',
  });
});

test('the batch of a heartbeat does not record it twice', async () => {
  const hub = await startTestHub();
  const headers = await hub.register('runner');
  const { bundle } = await hub.result('heartbeat/bundle', { errors_last_hour: 12 }, headers);
  const request = (bundle as { mcp_batch_request: object }).mcp_batch_request;
  hub.clock.now += 1_000;
  for (const _ of [1, 2]) {
    expect((await post(hub, request, headers)).result).toMatchObject({ succeeded: 2, failed: 0 });
  }
  const series = async () =>
    JSON.parse((await hub.store.getRecord('hub-heartbeats', 'runner')) ?? '{}') as { count: number };
  expect((await series()).count).toBe(1);
  await post(hub, toolCall('monitor_heartbeat_sync', { errors_last_hour: 1 }), headers);
  expect((await series()).count).toBe(2);
  expect(await hub.rpc('heartbeat/bundle', { recorded_at: 'noon' }, headers)).toMatchObject({
    body: { error: { data: { delx_code: 'DELX-A2A-1004' } } },
  });
});

test('a successor gets the artifacts of a packet with a tool', async () => {
  const hub = await startTestHub();
  const [owner, heir] = [await hub.register('owner'), await hub.register('heir')];
  await hub.result('message/send', { message: 'hello' }, owner);
  await hub.result('message/send', { message: 'ask which' }, owner);
  const { handoff_id } = await hub.result('handoff/offer', { to_agent_id: 'heir' }, owner);
  const use = async (name: string, input: object): Promise<JsonObject> =>
    asObject(contentOf((await post(hub, toolCall(name, input), heir)).result));
  const { lease_token, handoff_packet } = await use('handoff_claim', { handoff_id });
  const { artifacts } = asObject(asObject(handoff_packet)['evidence']);
  const [artifact] = artifacts as { source: { task_id: string } }[];
  const lease = { handoff_id, lease_token };
  expect(await use('handoff_artifacts', { ...lease, task_id: artifact?.source.task_id })).toMatchObject({
    artifacts: [{ name: 'notes', parts: [{ text: 'Notes on hello' }] }],
  });
  expect(await use('handoff_artifacts', lease)).toMatchObject({ status: { state: 'input-required' } });
});
