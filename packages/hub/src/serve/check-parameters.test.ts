import type { JsonObject } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { startTestHub, tokenIn } from '../testing/start-test-hub.ts';

const SAY = { message: { role: 'user', parts: [{ kind: 'text', text: 'hello' }] } };
const BAD_SESSION = { 'x-delx-session-id': 'not-a-uuid' };

function invalid(field: string) {
  return { body: { error: { code: -32602, data: { delx_code: 'DELX-A2A-1004', details: { field } } } } };
}

describe('an invalid session header', () => {
  it('registers nobody', async () => {
    const hub = await startTestHub();
    const params = { agent_id: 'runner' };
    expect(await hub.rpc('agents/register', params, BAD_SESSION)).toMatchObject(invalid('x-delx-session-id'));
    expect(await hub.store.listRecords('hub-agents')).toEqual([]);
    expect(await hub.result('agents/register', params)).toMatchObject({ new_agent: true });
  });

  it('does not rotate a token', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const rotate = { rotate_token: true };
    expect(await hub.rpc('agents/register', rotate, { ...headers, ...BAD_SESSION })).toMatchObject(
      invalid('x-delx-session-id'),
    );
    const rotated = await hub.result('agents/register', rotate, headers);
    expect(tokenIn(rotated)).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    'message/send',
    'heartbeat/bundle',
    'tasks/get',
    'tasks/cancel',
    'handoff/offer',
    'handoff/claim',
    'handoff/ack',
    'handoff/release',
    'handoff/get',
    'handoff/list',
    'fleet/status',
    'methods/list',
  ])('is rejected by %s', async (method) => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const before = await everything(hub.store);
    const params = { ...SAY, task_id: 't', handoff_id: 'h', lease_token: 'l' };
    expect(await hub.rpc(method, params, { ...headers, ...BAD_SESSION })).toMatchObject(
      invalid('x-delx-session-id'),
    );
    expect(await everything(hub.store)).toEqual(before);
  });

  it('is rejected by a heartbeat without a token', async () => {
    const hub = await startTestHub();
    await hub.register('runner');
    expect(await hub.rpc('heartbeat/bundle', { agent_id: 'runner' }, BAD_SESSION)).toMatchObject(
      invalid('x-delx-session-id'),
    );
  });

  it('is rejected by tools/batch as an invalid parameter', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    const response = await fetch(`${hub.url}/v1/mcp`, {
      method: 'POST',
      headers: { ...headers, ...BAD_SESSION, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/batch',
        params: { calls: [{ name: 'daily_checkin', arguments: {} }] },
      }),
    });
    expect(await response.json()).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('x-delx-session-id') },
    });
  });
});

describe('a parameter of the wrong type', () => {
  const CASES: [string, JsonObject, string][] = [
    ['agents/register', { agent_id: 5 }, 'agent_id'],
    ['agents/register', { agent_id: 'new', metadata: { agent_id: 5 } }, 'metadata.agent_id'],
    ['agents/register', { agent_id: 'new', controller_id: ['a'] }, 'controller_id'],
    ['agents/register', { agent_id: 'new', skills: 'deploy' }, 'skills'],
    ['agents/register', { agent_id: 'new', skills: ['deploy', 5] }, 'skills'],
    ['agents/register', { agent_id: 'runner', rotate_token: 'true' }, 'rotate_token'],
    ['message/send', { ...SAY, task_id: 5 }, 'task_id'],
    ['message/send', { message: { ...SAY.message, taskId: {} } }, 'message.taskId'],
    ['message/send', { ...SAY, handoff_id: 5 }, 'handoff_id'],
    ['message/send', { ...SAY, handoff_id: ' ' }, 'handoff_id'],
    ['message/send', { ...SAY, agent_id: 5 }, 'agent_id'],
    ['message/send', { ...SAY, packet: 'bogus' }, 'packet'],
    ['message/send', { ...SAY, packet: true }, 'packet'],
    ['heartbeat/bundle', { agent_id: 5 }, 'agent_id'],
    ['tasks/get', { task_id: 5 }, 'task_id'],
    ['tasks/cancel', { task_id: 5 }, 'task_id'],
    ['handoff/offer', { task_id: 5 }, 'task_id'],
    ['handoff/offer', { session_id: 5 }, 'session_id'],
    ['handoff/offer', { to_agent_id: 5 }, 'to_agent_id'],
    ['handoff/offer', { to_skill: ['deploy'] }, 'to_skill'],
    ['handoff/offer', { note: 5 }, 'note'],
    ['handoff/claim', { handoff_id: 5 }, 'handoff_id'],
    ['handoff/release', { handoff_id: 'h', lease_token: 5 }, 'lease_token'],
    ['handoff/release', { handoff_id: 'h', reason: 5 }, 'reason'],
    ['fleet/status', { after: 5 }, 'after'],
  ];

  it.each(CASES)('is rejected by %s: %j', async (method, params, field) => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    await hub.result('message/send', { message: 'ask which' }, headers);
    const before = await everything(hub.store);
    expect(await hub.rpc(method, params, headers)).toMatchObject(invalid(field));
    expect(await everything(hub.store)).toEqual(before);
  });
});

describe('a message to a task that does not exist', () => {
  it('starts no session', async () => {
    const hub = await startTestHub();
    const headers = await hub.register('runner');
    hub.clock.now += 2 * 60 * 60 * 1000;
    const before = await everything(hub.store);
    const answer = await hub.rpc('message/send', { ...SAY, task_id: 'nowhere', context_id: 'a' }, headers);
    expect(answer).toMatchObject({ body: { error: { data: { delx_code: 'DELX-A2A-1011' } } } });
    expect(await everything(hub.store)).toEqual(before);
  });
});

/** The records that the hub writes. */
async function everything(store: Awaited<ReturnType<typeof startTestHub>>['store']): Promise<unknown> {
  const namespaces = ['agents', 'sessions', 'latest-sessions', 'context-sessions', 'handoffs', 'heartbeats'];
  return Promise.all(namespaces.map((name) => store.listRecords(`hub-${name}`)));
}
