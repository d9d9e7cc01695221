import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { ERAS, resultOf as toolResult, type Era } from '../mcp/connect-mcp.ts';
import { message, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

watchForLeaks();
let hub: RunningHub;
let agent: HubAgent;
beforeAll(async () => {
  hub = await startHub({ words: ['--store', 'memory'] });
  agent = await registerAgent(hub, 'runner-01');
});
afterAll(() => hub.stop());

/** The official client, authenticated as an agent. */
async function connect(headers: Record<string, string>, era: Era = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test-host', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  const url = new URL(`${hub.url}/v1/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

async function call(client: Client, name: string, input: Json): Promise<Json> {
  return toolResult(await client.callTool({ name, arguments: input }));
}

const batchResult = z.looseObject({
  results: z.array(z.looseObject({ name: z.string(), ok: z.boolean() })),
  session_id: z.string().nullable(),
});

function runBatch(client: Client, params: Json) {
  return client.request({ method: 'tools/batch', params }, batchResult);
}

describe.each(ERAS)('the official client of the %s revision', (era) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(agent.headers, era);
  });
  afterAll(() => client.close());

  test('lists the same tools as the catalog', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'reflect',
        'reflect_on_state',
        'daily_checkin',
        'monitor_heartbeat_sync',
        'session_status',
        'handoff_offer',
        'handoff_claim',
      ]),
    );
    const { body } = await hub.get('/api/v1/tools');
    expect((body['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  test('continues a session that was started over A2A', async () => {
    const sent = resultOf(
      await hub.rpc('message/send', message('We are stuck in a retry storm (429).'), agent.headers),
    );
    const sessionId = String(sent['session_id']);
    const reflection = await call(client, 'reflect', {
      reflection: 'What keeps happening here?',
      session_id: sessionId,
    });
    expect(reflection).toMatchObject({ session_id: sessionId, answer: expect.stringMatching(/\w/) });
    const state = await call(client, 'reflect_on_state', {});
    expect(state).toMatchObject({ session_id: sessionId, answer: expect.stringMatching(/\w/) });
    // Over A2A it is the same session, including the messages sent over MCP.
    const headers = { ...agent.headers, 'A2A-Version': '1.0' };
    const { tasks } = resultOf(await hub.rpc('ListTasks', { contextId: sessionId }, headers));
    const ids = (tasks as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([sent['id'], reflection['task_id'], state['task_id']]));
  });

  test('runs a batch whose calls use earlier results', async () => {
    const answer = await runBatch(client, {
      calls: [
        { name: 'daily_checkin', arguments: { status: 'calm', session_id: '$SESSION_ID' } },
        { name: 'session_status', arguments: { session_id: '$prev.daily_checkin.session_id' } },
        { name: 'reflect', arguments: { reflection: 'In ${SESSION_ID}: $prev.daily_checkin.status.state.' } },
      ],
    });
    expect(answer.results.map(({ name, ok }) => [name, ok])).toEqual([
      ['daily_checkin', true],
      ['session_status', true],
      ['reflect', true],
    ]);
    expect(answer.session_id).toBe(agent.sessionId);
    expect(answer.results[1]).toMatchObject({ result: { session_id: agent.sessionId, is_active: true } });
  });

  test('gets an error as a result that says what to do next', async () => {
    const wrong = await client.callTool({ name: 'handoff_get', arguments: { handoff_id: 'none' } });
    expect(wrong.isError).toBe(true);
    expect(toolResult(wrong)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  });
});

test('runs the batch returned by a heartbeat unchanged', async () => {
  const figures = { errors_last_hour: 3, latency_ms_p95: 1450, queue_depth: 9 };
  const { bundle } = resultOf(await hub.rpc('heartbeat/bundle', figures, agent.headers));
  const { mcp_batch_request: request } = bundle as { mcp_batch_request: Json };
  const response = await fetch(`${hub.url}/v1/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...agent.headers },
    body: JSON.stringify(request),
  });
  const answer: Json = JSON.parse(await response.text());
  expect(answer).toMatchObject({
    id: request['id'],
    result: {
      results: [
        { name: 'daily_checkin', ok: true },
        { name: 'monitor_heartbeat_sync', ok: true },
      ],
      failed: 0,
      session_id: agent.sessionId,
    },
  });
});

test('a batch of more than 20 calls is rejected, one of 20 is not', async () => {
  const client = await connect(agent.headers);
  try {
    const calls = Array.from({ length: 21 }, () => ({ name: 'list_sessions' }));
    expect((await runBatch(client, { calls: calls.slice(1) })).results).toHaveLength(20);
    await expect(runBatch(client, { calls })).rejects.toThrow('expected at most 20 calls');
  } finally {
    await client.close();
  }
});

test('acts for the agent in the headers, and for nobody without them', async () => {
  const [stranger, nobody] = await Promise.all([
    registerAgent(hub, 'stranger').then(({ headers }) => connect(headers)),
    connect({ 'x-delx-agent-id': 'runner-01' }),
  ]);
  try {
    const input = { session_id: agent.sessionId };
    const theirs = await call(stranger, 'reflect', { ...input, reflection: 'hello' });
    expect(theirs['session_id']).not.toBe(agent.sessionId);
    expect(await call(stranger, 'session_status', input)).toMatchObject({ code: 'session_not_found' });
    for (const name of ['reflect_on_state', 'session_status', 'list_sessions', 'handoff_list']) {
      expect(await call(nobody, name, {}), name).toMatchObject({ code: 'DELX-A2A-1401' });
    }
  } finally {
    await Promise.all([stranger.close(), nobody.close()]);
  }
});

test('a session can be named in the URL', async () => {
  const response = await fetch(`${hub.url}/v1/mcp?session_id=${agent.sessionId}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...agent.headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/batch',
      params: { calls: [{ name: 'reflect', arguments: { reflection: 'hello' } }] },
    }),
  });
  const answer: Json = JSON.parse(await response.text());
  expect(answer).toMatchObject({
    result: { results: [{ result: { session_resolution: { source: 'header x-delx-session-id' } } }] },
  });
});
