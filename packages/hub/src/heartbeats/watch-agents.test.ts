import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noopLog } from '@holdword/runtime/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHubScene } from '../testing/start-hub-scene.ts';
import { startPeriodicJob } from './watch-agents.ts';

/** Starts a webhook and returns its URL and what it received. */
async function receiveAlarms(): Promise<{ url: string; alarms: unknown[] }> {
  const alarms: unknown[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => alarms.push(JSON.parse(body)));
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, alarms };
}

test('a missing agent raises an alarm, and its open tasks are offered', async () => {
  const { url, alarms } = await receiveAlarms();
  const { call, register, pass } = await startHubScene((_turn, sink) => sink.askInput('Which file?'), {
    settings: { watchSeconds: 0.02, alarms: { url } },
  });
  const boss = await register('boss');
  const worker = await register('worker', {}, boss);
  const heir = await register('heir', {}, boss);
  await call('heartbeat/bundle', {}, worker);
  const { id } = await call('message/send', { text: 'Port a file.' }, worker);
  pass(70 * 60_000);
  await expect.poll(() => alarms.length, { timeout: 10_000 }).toBe(1);
  const { handoffs } = await call('handoff/list', {}, heir);
  const [offered] = handoffs as { handoff_id: string }[];
  expect(offered).toMatchObject({ task_id: id, offered_by: 'hub', may_claim: true, agent_id: 'worker' });
  expect(alarms).toEqual([
    {
      type: 'agent.heartbeat_missed',
      alarm_id: expect.stringMatching(/^worker-\d+$/),
      agent_id: 'worker',
      controller_id: 'boss',
      last_seen_at: '2027-01-15T08:00:00.000Z',
      noticed_at: '2027-01-15T09:10:00.000Z',
      cadence_seconds: 2_700,
      handoff_ids: [offered?.handoff_id],
    },
  ]);
  expect(await call('fleet/status', {}, boss)).toMatchObject({
    agents: [{ agent_id: 'heir' }, { agent_id: 'worker', health: 'missing' }],
  });
});

test('a steady agent that stops is noticed within seconds, and its return is reported', async () => {
  const { url, alarms } = await receiveAlarms();
  const { call, register, pass } = await startHubScene((_turn, sink) => sink.complete('Done.'), {
    settings: { watchSeconds: 0.02, alarms: { url } },
  });
  const worker = await register('worker');
  for (let beat = 0; beat < 5; beat += 1) {
    await call('heartbeat/bundle', {}, worker);
    pass(10_000);
  }
  expect(await call('heartbeat/bundle', {}, worker)).toMatchObject({
    recommended_cadence: { seconds: 2_700 },
    next_actions: ['Continue.', 'Send the next heartbeat within 10 seconds.'],
    watch: { cadence_seconds: 10, source: 'learned', missing_at: '2027-01-15T08:01:15.000Z' },
  });
  pass(20_000);
  await call('message/send', { text: 'Still here.' }, worker);
  pass(20_000);
  await call('tasks/get', { task_id: 'none' }, worker).catch(() => undefined);
  pass(26_000);
  await expect.poll(() => alarms.length, { timeout: 10_000 }).toBe(1);
  expect(alarms[0]).toMatchObject({
    type: 'agent.heartbeat_missed',
    last_seen_at: '2027-01-15T08:01:30.000Z',
    noticed_at: '2027-01-15T08:01:56.000Z',
    cadence_seconds: 10,
  });
  await call('message/send', { text: 'Back.' }, worker);
  await expect.poll(() => alarms.length, { timeout: 10_000 }).toBe(2);
  expect(alarms[1]).toEqual({
    type: 'agent.returned',
    alarm_id: expect.stringMatching(/^worker-\d+-returned$/),
    agent_id: 'worker',
    controller_id: null,
    last_seen_at: '2027-01-15T08:01:30.000Z',
    noticed_at: '2027-01-15T08:01:56.000Z',
    returned_at: '2027-01-15T08:01:56.000Z',
    cadence_seconds: 10,
  });
});

describe('a periodic job', () => {
  test('a failed run is logged, and the next one follows', async () => {
    const logged: string[] = [];
    let count = 0;
    const job = startPeriodicJob({
      everyMilliseconds: 1,
      run: async () => {
        count += 1;
        if (count === 1) throw new Error('no disk');
      },
      failure: 'It failed.',
      log: { ...noopLog, error: (message, fields) => logged.push(`${message} ${String(fields?.['error'])}`) },
    });
    await expect.poll(() => count).toBeGreaterThan(2);
    await job.stop();
    expect(logged).toEqual(['It failed. Error: no disk']);
  });

  test('runs do not overlap, and stopping ends the current one', async () => {
    let running = 0;
    let most = 0;
    let begun = 0;
    const job = startPeriodicJob({
      everyMilliseconds: 1,
      run: async (signal) => {
        begun += 1;
        running += 1;
        most = Math.max(most, running);
        if (begun === 1) await new Promise((resolve) => setTimeout(resolve, 20));
        else await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        running -= 1;
      },
      failure: '',
      log: noopLog,
    });
    await expect.poll(() => begun).toBe(2);
    await job.stop();
    expect({ running, most, begun }).toEqual({ running: 0, most: 1, begun: 2 });
  });
});
