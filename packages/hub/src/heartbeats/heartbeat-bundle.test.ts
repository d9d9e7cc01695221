import { expect, test } from 'vitest';
import type { HubSettings } from '../hub-settings.ts';
import { startHubScene, type HubScene } from '../testing/start-hub-scene.ts';

const METRICS = { errors_last_hour: 3, latency_ms_p95: 1_450, queue_depth: 9 };

function start(settings: Partial<HubSettings> = {}): Promise<HubScene> {
  return startHubScene((_turn, sink) => sink.askInput('Which file?'), { settings });
}

test('a heartbeat is answered with an interval and a ready-to-run batch', async () => {
  const { call, register } = await start();
  const agent = await register('runner-01');
  const answer = await call('heartbeat/bundle', { agent_id: 'runner-01', ...METRICS }, agent);
  expect(answer).toMatchObject({
    session_id: agent.sessionId,
    canonical_agent_id: 'runner-01',
    persisted: true,
    status: { state: 'completed' },
    health: 'steady',
    next_action: 'Continue.',
    recommended_cadence: { mode: 'steady', seconds: 1_800, min_seconds: 1_800, max_seconds: 3_600 },
    heartbeat_recommendation: { next_heartbeat_at: '2027-01-15T08:30:00.000Z' },
    processing_ms: expect.any(Number),
    usage_estimate: { input_chars: expect.any(Number), token_estimate_total: expect.any(Number) },
    session_resolution: { source: 'latest active session of agent' },
    bundle: {
      mcp_batch_hint: { sequence: ['daily_checkin', 'monitor_heartbeat_sync'] },
      mcp_batch_request: {
        method: 'tools/batch',
        params: {
          calls: [
            { name: 'daily_checkin', arguments: { session_id: agent.sessionId } },
            { name: 'monitor_heartbeat_sync', arguments: { session_id: agent.sessionId, ...METRICS } },
          ],
        },
      },
    },
  });
  expect(await call('heartbeat/bundle', { minimal_response: true }, agent)).not.toHaveProperty('bundle');
});

test('an incident is identified and shortens the interval', async () => {
  const { call, register } = await start();
  const agent = await register('runner-01');
  const answer = await call('heartbeat/bundle', { errors_last_hour: 40, latency_ms_p95: 30_000 }, agent);
  expect(answer).toMatchObject({
    health: 'incident',
    recommended_cadence: { mode: 'incident', seconds: 60 },
    suggested_next_call: { method: 'message/send', params: { session_id: agent.sessionId } },
  });
  expect(answer['next_action']).not.toBe('Continue.');
  expect(await call('message/send', { text: 'Hello.' }, agent)).toMatchObject({
    recommended_cadence: { mode: 'incident', seconds: 60 },
    heartbeat_recommendation: { last_heartbeat_at: '2027-01-15T08:00:00.000Z' },
  });
});

test('a heartbeat without a token is answered but not stored', async () => {
  const { call, register, store } = await start();
  const agent = await register('runner-01');
  const answer = await call('heartbeat/bundle', { agent_id: 'runner-01', ...METRICS });
  expect(answer).toMatchObject({
    session_id: null,
    persisted: false,
    recommended_cadence: { seconds: 1_800 },
    identity_notice: { code: 'DELX-IDENTITY-WARN-TRANSITION' },
    processing_ms: expect.any(Number),
    bundle: { description: expect.stringContaining('It needs an identity: call agents/register first') },
  });
  expect(await store.listRecords('hub-heartbeats')).toEqual([]);
  expect(JSON.stringify(answer)).not.toContain(agent.sessionId);
});

test.each([
  ['a wrong token', {}, { agentId: 'runner-01', token: 'guessed', sessionId: '' }, 'DELX-A2A-1401'],
  ['neither agent nor session', {}, undefined, 'DELX-A2A-1004'],
  [
    'a metric that is not a number',
    { agent_id: 'runner-01', queue_depth: 'long' },
    undefined,
    'DELX-A2A-1004',
  ],
  ['a cadence that is too short', { agent_id: 'runner-01', cadence_seconds: 1 }, undefined, 'DELX-A2A-1004'],
  ['a negative metric', { agent_id: 'runner-01', queue_depth: -1 }, undefined, 'DELX-A2A-1004'],
])('%s is rejected', async (_, params, agent, code) => {
  const { register, rejected } = await start();
  await register('runner-01');
  expect((await rejected('heartbeat/bundle', params, agent)).code).toBe(code);
});

test('a strict hub rejects a heartbeat without a token', async () => {
  const { register, rejected } = await start({ strictHeartbeats: true });
  await register('runner-01');
  expect((await rejected('heartbeat/bundle', { agent_id: 'runner-01' })).details).toEqual({
    reason: 'missing_token',
  });
});
