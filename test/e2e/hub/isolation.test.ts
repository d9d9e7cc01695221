import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, refusalOf, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
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
  test.each(['tasks/get', 'tasks/cancel'])('finds no task of the owner by %s', async (method) => {
    const answer = await hub.rpc(method, { taskId: ownTask }, stranger.headers);
    expect(refusalOf(answer).data['delx_code']).toBe('DELX-A2A-1011');
  });

  test.each([
    ['GetTask', '1.0'],
    ['CancelTask', '1.0'],
    ['SubscribeToTask', '1.0'],
    ['tasks/get', '0.3'],
    ['tasks/cancel', '0.3'],
  ])('finds none by %s of A2A %s either', async (method, version) => {
    const answer = await hub.rpc(method, { id: ownTask }, { ...stranger.headers, 'A2A-Version': version });
    expect(refusalOf(answer).code).toBe(-32001);
  });

  test('lists its own tasks alone', async () => {
    const headers = { ...stranger.headers, 'A2A-Version': '1.0' };
    expect(resultOf(await hub.rpc('ListTasks', {}, headers))['tasks']).toEqual([]);
  });

  test('does not go on with the task of the owner', async () => {
    const params = { ...message('Ann'), task_id: ownTask };
    const answer = await hub.rpc('message/send', params, stranger.headers);
    expect(refusalOf(answer).data['delx_code']).toBe('DELX-A2A-1011');
  });

  test.each(['x-delx-session-id', 'x-session-id'])('gets a session of its own by %s', async (header) => {
    const headers = { ...stranger.headers, [header]: owner.sessionId };
    const result = resultOf(await hub.rpc('message/send', message('hello'), headers));
    expect(result['session_id']).not.toBe(owner.sessionId);
  });

  test('sees no status of the session', async () => {
    const answer = await hub.get(`/api/v1/status?session_id=${owner.sessionId}`, stranger.headers);
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer.body)).not.toContain('owner');
  });

  test('offers no task of the owner', async () => {
    const params = { task_id: ownTask, to_agent_id: 'stranger' };
    const offer = await hub.rpc('handoff/offer', params, stranger.headers);
    expect(refusalOf(offer).data['delx_code']).toBe('DELX-A2A-1011');
  });

  test('sees and claims no hand-off that is for somebody else', async () => {
    const friend = await registerAgent(hub, 'friend');
    const params = { task_id: ownTask, to_agent_id: friend.agentId };
    const { handoff_id } = resultOf(await hub.rpc('handoff/offer', params, owner.headers));
    for (const method of ['handoff/get', 'handoff/claim', 'handoff/ack', 'handoff/release']) {
      const answer = await hub.rpc(method, { handoff_id, lease_token: 'guess' }, stranger.headers);
      expect(refusalOf(answer).message, method).toMatch(/^There is no such hand-off/);
    }
    const listed = resultOf(await hub.rpc('handoff/list', {}, stranger.headers));
    expect(listed['handoffs']).toEqual([]);
    const going = { ...message('Ann'), handoff_id, lease_token: 'guess' };
    const answer = await hub.rpc('message/send', going, stranger.headers);
    expect(refusalOf(answer).message).toMatch(/^There is no such hand-off/);
    // It is there for whom it is meant.
    expect(resultOf(await hub.rpc('handoff/get', { handoff_id }, friend.headers))).toMatchObject({
      status: 'offered',
      may_claim: true,
    });
  });

  test('sees no agent that did not agree to it, also under the name of its controller', async () => {
    // The owner named a controller before anybody had that name.
    const home = await registerAgent(hub, 'home');
    for (const { headers } of [home, stranger]) {
      const fleet = resultOf(await hub.rpc('fleet/status', {}, headers));
      expect(JSON.stringify(fleet)).not.toContain('owner');
      const { body } = await hub.get('/api/v1/fleet', headers);
      expect(JSON.stringify(body)).not.toContain('owner');
    }
  });
});

describe('whoever has no token', () => {
  test('cannot act in the session of the owner by knowing its id', async () => {
    const headers = { 'x-delx-session-id': owner.sessionId };
    const answer = await hub.rpc('message/send', message('hello'), headers);
    expect([400, 401, 200]).toContain(answer.status);
    expect(refusalOf(answer).data['delx_code']).toMatch(/^DELX-A2A-(1005|1401)$/);
  });

  test('learns the times of a session whose id it knows, and not whose it is', async () => {
    const { status, body } = await hub.get(`/api/v1/status?session_id=${owner.sessionId}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('owner');
  });

  test('does not change the owner’s heartbeats', async () => {
    const result = resultOf(await hub.rpc('heartbeat/bundle', { agent_id: 'owner', errors_last_hour: 99 }));
    expect(result['session_id']).not.toBe(owner.sessionId);
    expect(JSON.stringify(result)).not.toContain(owner.sessionId);
  });
});

describe('a name that is taken', () => {
  const attempts = {
    'registers again': {},
    'asks for a new token': { rotate_token: true },
    'asks for the token': { include_token: true },
    'names the session of the owner': { rotate_token: true, session_id: '' },
  };

  test.each(Object.entries(attempts))('is not given to whoever %s', async (_what, params) => {
    const given = {
      agent_id: 'owner',
      ...params,
      ...('session_id' in params && { session_id: owner.sessionId }),
    };
    for (const headers of [{}, stranger.headers, { ...stranger.headers, 'x-delx-agent-id': 'owner' }]) {
      const sent = { ...headers, ...('x-delx-agent-id' in headers && { 'x-delx-agent-id': 'owner' }) };
      const answer = await hub.rpc('agents/register', given, sent);
      expect(answer.status).toBe(401);
      expect(refusalOf(answer).data['delx_code']).toBe('DELX-A2A-1401');
    }
    // The owner is still the owner.
    const send = await hub.rpc('message/send', message('hello'), owner.headers);
    expect(resultOf(send)['canonical_agent_id']).toBe('owner');
  });

  test('gets a new token by its owner, and the old one is worth nothing', async () => {
    const agent = await registerAgent(hub, 'rotating');
    const rotated = await hub.rpc(
      'agents/register',
      { agent_id: 'rotating', rotate_token: true },
      agent.headers,
    );
    const { token } = resultOf(rotated)['identity_auth'] as { token: string };
    expect(token).not.toBe(agent.token);
    const old = await hub.rpc('message/send', message('hello'), agent.headers);
    expect(refusalOf(old).data).toMatchObject({ details: { reason: 'invalid_token' } });
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
