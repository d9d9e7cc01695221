import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type RunningHub } from './start-hub.ts';

watchForLeaks();
let hub: RunningHub;
let owner: HubAgent;
let stranger: HubAgent;
let ownTask: string;
beforeAll(async () => {
  hub = await startHub({ words: ['--agent', 'demo', '--store', 'memory'] });
  owner = await registerAgent(hub, 'owner', { controller_id: 'home' });
  stranger = await registerAgent(hub, 'stranger', { controller_id: 'elsewhere' });
  ownTask = String(resultOf(await hub.rpc('message/send', message('ask me'), owner.headers))['id']);
});
afterAll(() => hub.stop());

describe('another agent', () => {
  test.each(['tasks/get', 'tasks/cancel'])("cannot find the owner's task with %s", async (method) => {
    const answer = await hub.rpc(method, { taskId: ownTask }, stranger.headers);
    expect(errorOf(answer).data['delx_code']).toBe('DELX-A2A-1011');
  });

  test.each([
    ['GetTask', '1.0'],
    ['CancelTask', '1.0'],
    ['SubscribeToTask', '1.0'],
    ['tasks/get', '0.3'],
    ['tasks/cancel', '0.3'],
  ])('cannot find it with %s of A2A %s', async (method, version) => {
    const answer = await hub.rpc(method, { id: ownTask }, { ...stranger.headers, 'A2A-Version': version });
    expect(errorOf(answer).code).toBe(-32001);
  });

  test('lists only its own tasks', async () => {
    const headers = { ...stranger.headers, 'A2A-Version': '1.0' };
    expect(resultOf(await hub.rpc('ListTasks', {}, headers))['tasks']).toEqual([]);
  });

  test("cannot continue the owner's task", async () => {
    const params = { ...message('Ann'), task_id: ownTask };
    const answer = await hub.rpc('message/send', params, stranger.headers);
    expect(errorOf(answer).data['delx_code']).toBe('DELX-A2A-1011');
  });

  test.each(['x-delx-session-id', 'x-session-id'])('gets its own session if it sends %s', async (header) => {
    const headers = { ...stranger.headers, [header]: owner.sessionId };
    const result = resultOf(await hub.rpc('message/send', message('hello'), headers));
    expect(result['session_id']).not.toBe(owner.sessionId);
  });

  test('cannot see the status of the session', async () => {
    const answer = await hub.get(`/api/v1/status?session_id=${owner.sessionId}`, stranger.headers);
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer.body)).not.toContain('owner');
  });

  test("cannot offer the owner's task", async () => {
    const params = { task_id: ownTask, to_agent_id: 'stranger' };
    const offer = await hub.rpc('handoff/offer', params, stranger.headers);
    expect(errorOf(offer).data['delx_code']).toBe('DELX-A2A-1011');
  });

  test('cannot see or claim a hand-off offered to another agent', async () => {
    const friend = await registerAgent(hub, 'friend');
    const params = { task_id: ownTask, to_agent_id: friend.agentId };
    const { handoff_id } = resultOf(await hub.rpc('handoff/offer', params, owner.headers));
    for (const method of ['handoff/get', 'handoff/claim', 'handoff/ack', 'handoff/release']) {
      const answer = await hub.rpc(method, { handoff_id, lease_token: 'guess' }, stranger.headers);
      expect(errorOf(answer).message, method).toBe('Hand-off not found.');
    }
    const listed = resultOf(await hub.rpc('handoff/list', {}, stranger.headers));
    expect(listed['handoffs']).toEqual([]);
    const going = { ...message('Ann'), handoff_id, lease_token: 'guess' };
    const answer = await hub.rpc('message/send', going, stranger.headers);
    expect(errorOf(answer).message).toBe('Hand-off not found.');
    // The addressee can see it.
    expect(resultOf(await hub.rpc('handoff/get', { handoff_id }, friend.headers))).toMatchObject({
      status: 'offered',
      may_claim: true,
    });
  });

  test('cannot see agents that declared it as controller before it registered', async () => {
    // The owner declared a controller that was not registered yet.
    const home = await registerAgent(hub, 'home');
    for (const { headers } of [home, stranger]) {
      const fleet = resultOf(await hub.rpc('fleet/status', {}, headers));
      expect(JSON.stringify(fleet)).not.toContain('owner');
      const { body } = await hub.get('/api/v1/fleet', headers);
      expect(JSON.stringify(body)).not.toContain('owner');
    }
  });
});

describe('a caller without a token', () => {
  test("cannot act in the owner's session by knowing its id", async () => {
    const headers = { 'x-delx-session-id': owner.sessionId };
    const answer = await hub.rpc('message/send', message('hello'), headers);
    expect([400, 401, 200]).toContain(answer.status);
    expect(errorOf(answer).data['delx_code']).toMatch(/^DELX-A2A-(1005|1401)$/);
  });

  test('sees the times of a session whose id it knows, but not its owner', async () => {
    const { status, body } = await hub.get(`/api/v1/status?session_id=${owner.sessionId}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('owner');
  });

  test("cannot change the owner's heartbeats", async () => {
    const result = resultOf(await hub.rpc('heartbeat/bundle', { agent_id: 'owner', errors_last_hour: 99 }));
    expect(result['session_id']).not.toBe(owner.sessionId);
    expect(JSON.stringify(result)).not.toContain(owner.sessionId);
  });
});

describe('a registered id', () => {
  const attempts = {
    'registers again': {},
    'asks for a new token': { rotate_token: true },
    'asks for the token': { include_token: true },
    "names the owner's session": { rotate_token: true, session_id: '' },
  };

  test.each(Object.entries(attempts))('is not given to a caller that %s', async (_what, params) => {
    const given = {
      agent_id: 'owner',
      ...params,
      ...('session_id' in params && { session_id: owner.sessionId }),
    };
    for (const headers of [{}, stranger.headers, { ...stranger.headers, 'x-delx-agent-id': 'owner' }]) {
      const sent = { ...headers, ...('x-delx-agent-id' in headers && { 'x-delx-agent-id': 'owner' }) };
      const answer = await hub.rpc('agents/register', given, sent);
      expect(answer.status).toBe(401);
      expect(errorOf(answer).data['delx_code']).toBe('DELX-A2A-1401');
    }
    // The owner keeps its identity.
    const send = await hub.rpc('message/send', message('hello'), owner.headers);
    expect(resultOf(send)['canonical_agent_id']).toBe('owner');
  });

  test('can have its token rotated by its owner, which invalidates the old one', async () => {
    const agent = await registerAgent(hub, 'rotating');
    const rotated = await hub.rpc(
      'agents/register',
      { agent_id: 'rotating', rotate_token: true },
      agent.headers,
    );
    const { token } = resultOf(rotated)['identity_auth'] as { token: string };
    expect(token).not.toBe(agent.token);
    const old = await hub.rpc('message/send', message('hello'), agent.headers);
    expect(errorOf(old).data).toMatchObject({ details: { reason: 'invalid_token' } });
    const headers = { ...agent.headers, 'x-delx-agent-token': token };
    expect((await hub.rpc('message/send', message('hello'), headers)).status).toBe(200);
  });

  test('keeps its token when it registers again', async () => {
    const again = resultOf(await hub.rpc('agents/register', { agent_id: 'owner' }, owner.headers));
    expect(again).toMatchObject({ new_agent: false, session_id: owner.sessionId });
    expect(again['identity_auth']).toMatchObject({ issued_new_token: false });
    expect(JSON.stringify(again)).not.toContain(owner.token);
  });
});
