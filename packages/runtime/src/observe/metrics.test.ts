import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { createMetrics, type HubCalls, type PushHealth } from './metrics.ts';
import type { EndedRequest } from './observer.ts';

const CALL: EndedRequest = {
  binding: 'JSONRPC',
  version: '1.0',
  operation: 'sendMessage',
  caller: 'key:me',
  tenant: '',
  peer: '127.0.0.1',
  error: undefined,
  limit: undefined,
  limitScope: undefined,
  taskId: undefined,
  milliseconds: 1,
};

test('counts requests by operation and outcome', async () => {
  const metrics = createMetrics({ processMetrics: false });
  metrics.observer.requestEnded?.(CALL);
  metrics.observer.requestEnded?.(CALL);
  metrics.observer.requestEnded?.({
    ...CALL,
    error: 'RESOURCE_EXHAUSTED',
    limit: 'requestsPerMinute',
    limitScope: 'caller',
  });
  metrics.observer.requestEnded?.({
    ...CALL,
    operation: undefined,
    version: undefined,
    error: 'PARSE_ERROR',
  });
  for (let reading = 0; reading < 2; reading += 1) {
    const { body, contentType } = await metrics.render();
    expect(contentType).toContain('text/plain');
    expect(body).toContain(
      'holdword_requests_total{operation="sendMessage",binding="JSONRPC",version="1.0",outcome="OK"} 2',
    );
    expect(body).toContain('version="unknown",outcome="PARSE_ERROR"} 1');
    expect(body).toContain('holdword_limited_total{limit="requestsPerMinute",scope="caller"} 1');
  }
});

test('never shows the caller', async () => {
  const metrics = createMetrics({ processMetrics: false });
  metrics.observer.requestEnded?.({ ...CALL, caller: 'key:somebody', tenant: 'acme', peer: '192.0.2.7' });
  expect((await metrics.render()).body).not.toMatch(/somebody|acme|192\.0\.2\.7/);
});

test('measures turns and commits', async () => {
  const metrics = createMetrics({ processMetrics: false });
  const { observer } = metrics;
  observer.turnEnded?.({ state: 'TASK_STATE_COMPLETED', milliseconds: 50 });
  observer.committed?.(3, 2);
  observer.commitFailed?.();
  const { body } = await metrics.render();
  expect(body).toContain('holdword_turn_duration_seconds_bucket{le="0.1",state="completed"} 1');
  expect(body).toContain('holdword_events_committed_total 3');
  expect(body).toContain('holdword_commit_duration_seconds_bucket{le="0.0025"} 1');
  expect(body).toContain('holdword_store_errors_total 1');
});

test('reads the current state', async () => {
  const metrics = createMetrics({ processMetrics: false });
  const store = openMemoryStore();
  let running = 1;
  const shares = { callers: 3, mostRunning: 1, mostQueued: 2 };
  metrics.watch({ activity: () => ({ running, queued: 4, ...shares }), openStreams: () => 7, store });
  running = 2;
  await store.createTask({
    taskId: 't-1',
    owner: '[""]',
    contextId: 'c-1',
    status: { state: 'TASK_STATE_SUBMITTED', time: 1, json: '{}' },
    entries: [{ json: '{}', changesStatus: true }],
  });
  await expect
    .poll(async () => (await metrics.render()).body)
    .toContain('holdword_commit_group_tasks_count 1');
  const { body } = await metrics.render();
  expect(body).toContain('holdword_turns_running 2');
  expect(body).toContain('holdword_turns_queued 4');
  expect(body).toContain('holdword_turn_callers 3');
  expect(body).toContain('holdword_busiest_caller_turns{state="running"} 1\n');
  expect(body).toContain('holdword_busiest_caller_turns{state="queued"} 2\n');
  expect(body).toContain('holdword_streams_open 7');
});

test('includes the process', async () => {
  expect((await createMetrics().render()).body).toContain('process_resident_memory_bytes');
});

test('the state of push notifications is read with the metrics', async () => {
  const metrics = createMetrics({ processMetrics: false });
  let health: PushHealth = {
    enabled: true,
    activeTargets: 2,
    failingTargets: 0,
    deadTargets: 0,
    longestFailureSeconds: 0,
    deliveredEvents: 5,
    failedAttempts: 0,
    runningDeliveries: 1,
    waitingDeliveries: 6,
  };
  metrics.watch({ push: () => health });
  const { body: first } = await metrics.render();
  expect(first).toContain('holdword_push_targets{state="active"} 2\n');
  expect(first).toContain('holdword_push_deliveries{state="running"} 1\n');
  expect(first).toContain('holdword_push_deliveries{state="waiting"} 6\n');
  expect(first).toContain('holdword_push_attempts_total{outcome="delivered"} 5\n');

  health = { ...health, failingTargets: 1, deadTargets: 3, failedAttempts: 4, longestFailureSeconds: 60 };
  const { body: second } = await metrics.render();
  expect(second).toContain('holdword_push_targets{state="active"} 1\n');
  expect(second).toContain('holdword_push_targets{state="failing"} 1\n');
  expect(second).toContain('holdword_push_targets{state="dead"} 3\n');
  expect(second).toContain('holdword_push_longest_failure_seconds 60\n');
  expect(second).toContain('holdword_push_attempts_total{outcome="delivered"} 5\n');
  expect(second).toContain('holdword_push_attempts_total{outcome="failed"} 4\n');
});

test('requests of a hub are counted when the metrics are read', async () => {
  const metrics = createMetrics({ processMetrics: false });
  const calls: HubCalls[] = [{ method: 'message/send', outcome: 'OK', count: 2 }];
  const claims = new Map([['granted', 2]]);
  metrics.watch({
    hub: {
      calls: () => calls,
      claims: () => claims,
      alarms: () => new Map([['agent.returned', 1]]),
      census: async () => ({ alive: 4, missing: 3, blocked: 2, openHandoffs: 1 }),
    },
  });
  expect((await metrics.render()).body).toContain(
    'holdword_hub_requests_total{method="message/send",outcome="OK"} 2\n',
  );
  calls.push({ method: 'message/send', outcome: 'DELX-A2A-1401', count: 1 });
  claims.set('taken', 5);
  const { body: text } = await metrics.render();
  expect(text).toContain('holdword_hub_requests_total{method="message/send",outcome="OK"} 2\n');
  expect(text).toContain('holdword_hub_requests_total{method="message/send",outcome="DELX-A2A-1401"} 1\n');
  expect(text).toContain('holdword_hub_claims_total{outcome="granted"} 2\n');
  expect(text).toContain('holdword_hub_claims_total{outcome="taken"} 5\n');
  expect(text).toContain('holdword_hub_alarms_total{type="agent.returned"} 1\n');
  expect(text).toContain('holdword_hub_agents{state="alive"} 4\n');
  expect(text).toContain('holdword_hub_agents{state="missing"} 3\n');
  expect(text).toContain('holdword_hub_agents{state="blocked"} 2\n');
  expect(text).toContain('holdword_hub_handoffs_open 1\n');
});
