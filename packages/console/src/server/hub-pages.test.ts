import { hubClient } from '@holdword/hub/testing';
import { asObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { startTestConsole, type Sender, type TestConsole } from '../testing/start-test-console.ts';

async function rpc(view: TestConsole, method: string, params: Record<string, unknown>, as: Sender) {
  const { body } = await hubClient(view.url).rpc(method, params, as);
  if (body['result'] === undefined) throw new Error(JSON.stringify(body));
  return asObject(body['result']);
}

async function register(view: TestConsole, agentId: string, as: Sender): Promise<Sender> {
  const registered = await rpc(view, 'agents/register', { agent_id: agentId }, as);
  const token = String(asObject(registered['identity_auth'])['token']);
  return { 'x-delx-agent-id': agentId, 'x-delx-agent-token': token };
}

test('shows agents, heartbeats, sessions and hand-offs with packets whose facts lead into journals', async () => {
  const view = await startTestConsole({ hub: {} });
  const operator = await view.key('ops', 'operator');
  const [alice, bob] = [await view.key('alice'), await view.key('bob')];
  const first = await register(view, 'first', alice);
  await register(view, 'second', bob);
  const message = { parts: [{ kind: 'text', text: 'ask Which color?' }] };
  const sent = await rpc(view, 'message/send', { message }, first);
  const taskId = String(sent['id']);
  const offer = await rpc(view, 'handoff/offer', { task_id: taskId, to_agent_id: 'second' }, first);
  await rpc(view, 'heartbeat/bundle', { latency_ms_p95: 1450, cadence_seconds: 5 }, first);
  const handoffId = String(offer['handoff_id']);

  const agents = async (as: Sender) =>
    (await view.call('listHubAgents', { as })).body.agents.map(({ agent_id }) => agent_id);
  expect(await agents(operator)).toEqual(['first', 'second']);
  expect(await agents(alice)).toEqual(['first']);
  expect(await agents(bob)).toEqual(['second']);
  const detail = await view.call('getHubAgent', { as: operator, path: { agentId: 'first' } });
  expect(detail.body).toMatchObject({
    agent: { cadence_seconds: 5 },
    series: { samples: [{ latency_ms_p95: 1450 }] },
  });
  expect((await view.call('getHubAgent', { as: bob, path: { agentId: 'first' } })).status).toBe(404);
  const { sessions } = (await view.call('listHubSessions', { as: operator, query: { agent: 'first' } })).body;
  expect(sessions).toMatchObject([{ agent_id: 'first', status: 'active' }]);

  const open = (await view.call('listHandoffs', { as: operator, query: { status: 'open' } })).body.handoffs;
  expect(open).toMatchObject([{ handoff_id: handoffId, status: 'offered', task_id: taskId }]);
  const { handoff, packet } = (await view.call('getHandoff', { as: operator, path: { handoffId } })).body;
  expect(handoff.handoff_id).toBe(handoffId);
  const request = asObject(asObject(packet['evidence'])['request']);
  expect(request).toMatchObject({ text: 'ask Which color?', source: { task_id: taskId } });
  const sequence = Number(asObject(request['source'])['sequence']);
  const { events } = (
    await view.call('listEvents', {
      as: operator,
      path: { taskId },
      query: { after: String(sequence - 1), limit: '1' },
    })
  ).body;
  expect(JSON.stringify(events[0]?.event)).toContain('ask Which color?');
  expect((await view.call('getHandoff', { as: bob, path: { handoffId } })).status).toBe(404);

  const task = (await view.call('getTask', { as: operator, path: { taskId } })).body;
  expect(task).toMatchObject({ agent: 'first', handoffIds: [handoffId] });
  const listed = (await view.call('listTasks', { as: operator, query: { agent: 'first' } })).body;
  expect(listed.tasks.map(({ id }) => id)).toEqual([taskId]);
  expect((await view.call('listAlarms', { as: operator })).body).toEqual({ alarms: [], nextCursor: null });
});

test('says so on a server without a hub', async () => {
  const view = await startTestConsole();
  const as = await view.key('ops', 'operator');
  const { status, body } = await view.call('listHubAgents', { as });
  expect(status).toBe(501);
  expect(body.error?.message).toContain('no hub');
  expect((await view.call('getSession', { as })).body.features).toMatchObject({
    hub: false,
    push: true,
    keys: true,
  });
});
