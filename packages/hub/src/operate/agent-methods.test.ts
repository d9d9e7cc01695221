import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { FallbackAction, Observer } from '@holdword/runtime';
import { describe, expect, it } from 'vitest';
import { CUSTOMER, KEYS, OPERATOR, OPS } from '../testing/key-authentication.ts';
import { startHubScene } from '../testing/start-hub-scene.ts';
import { startTestHub, tokenIn, type TestHub } from '../testing/start-test-hub.ts';

const ASK = { message: { parts: [{ kind: 'text', text: 'ask' }] } };

async function startKeyedHub(observer?: Observer): Promise<TestHub> {
  return startTestHub({ authentication: KEYS, ...(observer && { observer }) });
}

/** Registers an agent with an API key, and returns its identity headers. */
async function registered(hub: TestHub, agentId: string, key: Record<string, string>) {
  const result = await hub.result('agents/register', { agent_id: agentId }, key);
  return { 'x-delx-agent-id': agentId, 'x-delx-agent-token': tokenIn(result) };
}

function refused(reason: string) {
  return { status: 401, body: { error: { data: { details: { reason } } } } };
}

describe('agents/block', () => {
  it.each([
    ['agents/register', {}],
    ['message/send', ASK],
    ['heartbeat/bundle', { errors_last_hour: 1 }],
    ['tasks/get', { task_id: 'x' }],
    ['tasks/cancel', { task_id: 'x' }],
    ['handoff/list', {}],
    ['handoff/offer', {}],
    ['fleet/status', {}],
    ['agents/delete', { agent_id: 'runner' }],
  ] satisfies [string, JsonObject][])('makes %s refuse the token', async (method, params) => {
    const hub = await startKeyedHub();
    const agent = await registered(hub, 'runner', OPS);
    expect(await hub.result('agents/block', { agent_id: 'runner', reason: 'leaked' }, OPS)).toMatchObject({
      status: 'blocked',
      reason: 'leaked',
    });
    expect(await hub.rpc(method, params, agent)).toMatchObject(refused('agent_blocked'));
    await hub.result('agents/unblock', { agent_id: 'runner' }, OPS);
    const { body } = await hub.rpc(method, params, agent);
    expect(JSON.stringify(body)).not.toContain('agent_blocked');
  });

  it('makes plain A2A, MCP and REST refuse the token', async () => {
    const hub = await startKeyedHub();
    const agent = await registered(hub, 'runner', OPS);
    const { session_id: sessionId } = await hub.result('message/send', ASK, agent);
    await hub.result('agents/block', { agent_id: 'runner' }, OPERATOR);
    const plain = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };
    const standard = await hub.rpc('SendMessage', plain, { ...agent, 'A2A-Version': '1.0' });
    expect(standard).toMatchObject({
      status: 401,
      body: { error: { message: expect.stringContaining('This agent is blocked.') as string } },
    });
    for (const path of [
      '/api/v1/fleet',
      '/api/v1/status?agent_id=runner',
      `/api/v1/status?session_id=${String(sessionId)}`,
    ]) {
      expect(await hub.get(path, agent), path).toMatchObject({
        status: 401,
        body: { error: { message: 'This agent is blocked.', details: { reason: 'agent_blocked' } } },
      });
    }
    const tool = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_sessions', arguments: {} },
    };
    const answer = await fetch(`${hub.url}/v1/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...agent,
      },
      body: JSON.stringify(tool),
    });
    expect(await answer.text()).toContain('This agent is blocked.');
  });

  it('is told only to who has the token', async () => {
    const hub = await startKeyedHub();
    await registered(hub, 'runner', OPS);
    await hub.result('agents/block', { agent_id: 'runner' }, OPS);
    const guess = { 'x-delx-agent-id': 'runner', 'x-delx-agent-token': 'guess' };
    expect(await hub.rpc('message/send', ASK, guess)).toMatchObject(refused('invalid_token'));
  });

  it('is for the caller that registered the agent and for operators', async () => {
    const hub = await startKeyedHub();
    const agent = await registered(hub, 'runner', OPS);
    for (const method of ['agents/block', 'agents/unblock', 'agents/delete']) {
      const params = { agent_id: 'runner' };
      expect(await hub.rpc(method, params, CUSTOMER)).toMatchObject(refused('not_owner'));
      expect(await hub.rpc(method, params)).toMatchObject(refused('not_owner'));
      expect(await hub.rpc(method, { agent_id: 'nobody' }, CUSTOMER)).toMatchObject(refused('not_owner'));
      expect(await hub.rpc(method, {}, OPS)).toMatchObject({
        body: { error: { data: { delx_code: 'DELX-A2A-1004' } } },
      });
    }
    expect(await hub.rpc('agents/block', { agent_id: 'runner' }, agent)).toMatchObject(refused('not_owner'));
    expect(await hub.rpc('agents/block', { agent_id: 'nobody' }, OPERATOR)).toMatchObject({
      body: { error: { message: 'Agent not found.' } },
    });
    expect(await hub.result('agents/block', { agent_id: 'runner' }, OPERATOR)).toMatchObject({
      status: 'blocked',
    });
  });

  it('by an operator is lifted by an operator only, and outlives a deletion', async () => {
    const hub = await startKeyedHub();
    const agent = await registered(hub, 'runner', OPS);
    const params = { agent_id: 'runner' };
    await hub.result('agents/block', params, OPS);
    await hub.result('agents/block', params, OPERATOR);
    expect(await hub.rpc('agents/unblock', params, OPS)).toMatchObject(refused('blocked_by_operator'));
    await hub.result('agents/delete', params, OPS);
    expect(await hub.rpc('agents/register', params, OPS)).toMatchObject(refused('agent_blocked'));
    await hub.result('agents/unblock', params, OPERATOR);
    const again = await registered(hub, 'runner', OPS);
    expect(again['x-delx-agent-token']).not.toBe(agent['x-delx-agent-token']);
  });

  it('is in the audit log with the key that did it', async () => {
    const actions: FallbackAction[] = [];
    const hub = await startKeyedHub({ fallbackActed: (action) => actions.push(action) });
    await registered(hub, 'runner', OPS);
    await hub.result('agents/block', { agent_id: 'runner' }, OPERATOR);
    await hub.result('agents/unblock', { agent_id: 'runner' }, OPERATOR);
    await hub.result('agents/delete', { agent_id: 'runner' }, OPS);
    expect(actions.slice(1).map(({ event, ownerKey, agent }) => [event, ownerKey, agent])).toEqual([
      ['agent-blocked', '["","key:operator"]', 'runner'],
      ['agent-unblocked', '["","key:operator"]', 'runner'],
      ['agent-deleted', '["","key:ops"]', 'runner'],
    ]);
  });
});

async function startCrew() {
  const hub = await startKeyedHub();
  const result = await hub.result('agents/register', { agent_id: 'crew' }, OPS);
  const crew = { 'x-delx-controller-token': tokenIn(result) };
  const member = async (agentId: string) => {
    const params = { agent_id: agentId, controller_id: 'crew' };
    const answer = await hub.result('agents/register', params, { ...OPS, ...crew });
    return { 'x-delx-agent-id': agentId, 'x-delx-agent-token': tokenIn(answer) };
  };
  const owner = await member('owner');
  const offered = async (params: JsonObject = {}) => {
    const { id } = await hub.result('message/send', ASK, owner);
    const offer = await hub.result('handoff/offer', { task_id: id, ...params }, owner);
    return { handoff_id: offer['handoff_id'], task_id: id };
  };
  return { hub, member, owner, offered };
}

describe('the hand-offs of a blocked agent', () => {
  it('a lease that it holds is released, and another agent claims the task', async () => {
    const { hub, member, owner, offered } = await startCrew();
    const [first, second] = [await member('first'), await member('second')];
    const { handoff_id } = await offered();
    const { lease_token } = await hub.result('handoff/claim', { handoff_id }, first);
    const blocked = await hub.result('agents/block', { agent_id: 'first' }, OPS);
    expect(blocked['ended_handoffs']).toEqual([{ handoff_id, how: 'released' }]);
    await hub.result('handoff/claim', { handoff_id }, second);
    await hub.result('agents/unblock', { agent_id: 'first' }, OPS);
    const late = await hub.rpc('handoff/ack', { handoff_id, lease_token }, first);
    expect(late).toMatchObject({ body: { error: { data: { details: { reason: 'lease_lost' } } } } });
    const seen = await hub.result('handoff/get', { handoff_id }, owner);
    expect(seen['refusals']).toMatchObject([{ agent_id: 'first', reason: 'The agent was blocked.' }]);
  });

  it('an offer to it alone is declined, and one that it made is withdrawn unless a successor holds it', async () => {
    const { hub, member, owner, offered } = await startCrew();
    const [first, second] = [await member('first'), await member('second')];
    const toFirst = await offered({ to_agent_id: 'first' });
    expect(await hub.result('agents/block', { agent_id: 'first' }, OPS)).toMatchObject({
      ended_handoffs: [{ handoff_id: toFirst.handoff_id, how: 'declined' }],
    });
    const offer = await hub.rpc('handoff/offer', { task_id: toFirst.task_id, to_agent_id: 'first' }, owner);
    expect(offer).toMatchObject({ body: { error: { data: { delx_code: 'DELX-A2A-1004' } } } });
    void first;
    const held = await offered();
    const open = await offered();
    await hub.result('handoff/claim', { handoff_id: held.handoff_id }, second);
    expect(await hub.result('agents/block', { agent_id: 'owner' }, OPS)).toMatchObject({
      ended_handoffs: [{ handoff_id: open.handoff_id, how: 'withdrawn' }],
    });
    expect(await hub.result('handoff/get', { handoff_id: held.handoff_id }, second)).toMatchObject({
      status: 'claimed',
    });
  });
});

it('a blocked agent is no longer watched, and is watched again from its next heartbeat on', async () => {
  const scene = await startHubScene(async (_turn, sink) => sink.complete('Done.'), {
    settings: { watchSeconds: 0 },
  });
  const agent = await scene.register('runner');
  await scene.call('heartbeat/bundle', { cadence_seconds: 5 }, agent);
  expect(await scene.store.listRecords('hub-heartbeats-due')).toHaveLength(1);
  await scene.asOperator('agents/block', { agent_id: 'runner' });
  expect(await scene.store.listRecords('hub-heartbeats-due')).toEqual([]);
  await scene.asOperator('agents/unblock', { agent_id: 'runner' });
  await scene.call('heartbeat/bundle', {}, agent);
  expect(await scene.store.listRecords('hub-heartbeats-due')).toHaveLength(1);
});

describe('agents/delete', () => {
  it('refuses the token, and reserves the name for the caller that registered it', async () => {
    const hub = await startKeyedHub();
    const agent = await registered(hub, 'runner', OPS);
    const { id } = await hub.result('message/send', ASK, agent);
    expect(await hub.result('agents/delete', { agent_id: 'runner' }, OPS)).toMatchObject({
      status: 'deleted',
    });
    expect(await hub.rpc('message/send', ASK, agent)).toMatchObject(refused('agent_deleted'));
    const params = { agent_id: 'runner' };
    expect(await hub.rpc('agents/register', params, CUSTOMER)).toMatchObject(refused('name_reserved'));
    expect(await hub.rpc('agents/register', params, { ...CUSTOMER, ...agent })).toMatchObject(
      refused('name_reserved'),
    );
    const again = await registered(hub, 'runner', OPS);
    expect(await hub.result('tasks/get', { task_id: id }, again)).toMatchObject({ id });
    expect(await hub.rpc('message/send', ASK, agent)).toMatchObject(refused('invalid_token'));
  });

  it('an operator registers the name again for its owner', async () => {
    const hub = await startKeyedHub();
    await registered(hub, 'runner', OPS);
    await hub.result('agents/delete', { agent_id: 'runner' }, OPERATOR);
    await registered(hub, 'runner', OPERATOR);
    expect(await hub.result('agents/block', { agent_id: 'runner' }, OPS)).toMatchObject({
      status: 'blocked',
    });
  });

  it('without keys, the agent deletes itself and comes back with its last token', async () => {
    const hub = await startTestHub();
    const agent = await hub.register('runner');
    expect(await hub.result('agents/delete', { agent_id: 'runner' }, agent)).toMatchObject({
      status: 'deleted',
    });
    expect(await hub.rpc('agents/register', { agent_id: 'runner' })).toMatchObject(refused('name_reserved'));
    const again = await hub.result('agents/register', {}, agent);
    expect(asObject(again['identity_auth'])['issued_new_token']).toBe(true);
  });

  it('an agent does not delete another one', async () => {
    const hub = await startTestHub();
    await hub.register('victim');
    const other = await hub.register('other');
    expect(await hub.rpc('agents/delete', { agent_id: 'victim' }, other)).toMatchObject(refused('not_owner'));
  });

  it('takes the agent off the fleet, while its controller can still hand its tasks over', async () => {
    const hub = await startTestHub();
    const crew = await hub.register('crew');
    const params = { agent_id: 'runner', controller_id: 'crew' };
    const proof = { 'x-delx-controller-token': crew['x-delx-agent-token'] ?? '' };
    const agent = {
      'x-delx-agent-id': 'runner',
      'x-delx-agent-token': tokenIn(await hub.result('agents/register', params, proof)),
    };
    const { id } = await hub.result('message/send', ASK, agent);
    await hub.result('agents/delete', { agent_id: 'runner' }, agent);
    expect(await hub.result('fleet/status', {}, crew)).toMatchObject({ agents: [] });
    expect(await hub.result('handoff/offer', { task_id: id }, crew)).toMatchObject({ status: 'offered' });
  });
});
