import type { JsonObject } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { startHubScene, type HubScene, type TestAgent } from '../testing/start-hub-scene.ts';

interface Scene extends HubScene {
  readonly boss: TestAgent;
  readonly fleetOf: (controller: TestAgent, params?: JsonObject) => Promise<Fleet>;
}

interface Fleet {
  agents: JsonObject[];
  next_after: string | null;
  open_handoffs: JsonObject[];
}

async function startScene(): Promise<Scene> {
  const hub = await startHubScene((_turn, sink) => sink.askInput('Which file?'));
  return {
    ...hub,
    boss: await hub.register('boss'),
    fleetOf: async (controller, params = {}) => {
      const { agents, next_after, open_handoffs } = await hub.call('fleet/status', params, controller);
      return { agents, next_after, open_handoffs } as Fleet;
    },
  };
}

test('shows sessions, health, open tasks and open hand-offs of its own agents', async () => {
  const { call, register, boss, fleetOf } = await startScene();
  const worker = await register('worker', { agent_name: 'Worker', skills: ['porting'] }, boss);
  await register('idle', {}, boss);
  await call('heartbeat/bundle', { errors_last_hour: 40, queue_depth: 2 }, worker);
  const { id } = await call('message/send', { text: 'Port a file.' }, worker);
  const { handoff_id } = await call('handoff/offer', { task_id: id }, boss);
  expect(await fleetOf(boss)).toMatchObject({
    agents: [
      { agent_id: 'idle', health: 'unknown', heartbeats: 0, figures: {}, open_tasks: [] },
      {
        agent_id: 'worker',
        agent_name: 'Worker',
        skills: ['porting'],
        health: 'incident',
        last_heartbeat_at: '2027-01-15T08:00:00.000Z',
        figures: { errors_last_hour: 40, queue_depth: 2 },
        sessions: [{ session_id: worker.sessionId, is_active: true }],
        open_tasks: [{ task_id: id, session_id: worker.sessionId, state: 'TASK_STATE_INPUT_REQUIRED' }],
      },
    ],
    next_after: null,
    open_handoffs: [{ handoff_id, status: 'offered', refusals: [] }],
  });
});

test('does not show agents of other controllers', async () => {
  const { register, boss, fleetOf } = await startScene();
  const other = await register('other-boss');
  await register('theirs', {}, other);
  // Declares the controller without its token.
  await register('pretender', { controller_id: 'boss' });
  const worker = await register('worker', {}, boss);
  expect((await fleetOf(boss)).agents.map(({ agent_id }) => agent_id)).toEqual(['worker']);
  expect((await fleetOf(worker)).agents).toEqual([]);
});

test('is paginated', async () => {
  const { register, boss, fleetOf, rejected } = await startScene();
  for (const name of ['a', 'b', 'c']) await register(name, {}, boss);
  const first = await fleetOf(boss, { limit: 2 });
  expect(first.agents.map(({ agent_id }) => agent_id)).toEqual(['a', 'b']);
  const second = await fleetOf(boss, { limit: 2, after: first.next_after });
  expect(second.agents.map(({ agent_id }) => agent_id)).toEqual(['c']);
  expect(second.next_after).toBeNull();
  expect((await rejected('fleet/status', { limit: 1_000 }, boss)).code).toBe('DELX-A2A-1004');
});

test('requires an identity, over REST as well', async () => {
  const { hub, rejected, boss } = await startScene();
  expect((await rejected('fleet/status')).code).toBe('DELX-A2A-1005');
  const route = hub.routes.find(({ path }) => path === '/api/v1/fleet');
  const ask = (headers: Record<string, string>) =>
    route?.answer({
      requestContext: {
        headers,
        peer: undefined,
        callerKey: undefined,
        isOperator: false,
        startedAt: 0,
        signal: new AbortController().signal,
      },
      query: new URLSearchParams('limit=5'),
      segments: {},
      body: undefined,
    });
  await expect(ask({ 'x-agent-id': 'boss', 'x-agent-token': 'guessed' })).rejects.toMatchObject({
    code: 'DELX-A2A-1401',
  });
  const answer = await ask({ 'x-agent-id': 'boss', 'x-agent-token': boss.token });
  expect(answer).toMatchObject({ status: 200, body: { controller_id: 'boss', agents: [] } });
});
