import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedClient } from '@holdword/net/internal';
import { noopLog } from '@holdword/runtime/internal';
import { openMemoryStore } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { AlarmOutbox, type Alarm } from './alarm-outbox.ts';

const PATIENT = new AbortController().signal;
const ALARM: Alarm = {
  type: 'agent.heartbeat_missed',
  alarm_id: 'runner-01-1',
  agent_id: 'runner-01',
  controller_id: 'crew',
  last_seen_at: '2027-01-15T08:00:00.000Z',
  noticed_at: '2027-01-15T09:10:00.000Z',
  cadence_seconds: 2_700,
  handoff_ids: [],
};

interface Received {
  authorization: string | undefined;
  body: unknown;
}

/** Starts a receiver that answers with these statuses, then with 204. */
async function startReceiver(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      received.push({ authorization: request.headers.authorization, body });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarms`, received };
}

function open(url: string, options: { allow?: string[]; now?: () => number } = {}) {
  const client = createGuardedClient({ allow: options.allow ?? ['127.0.0.1'] });
  onTestFinished(() => client.close());
  const store = openMemoryStore();
  const now = options.now ?? Date.now;
  const outbox = new AlarmOutbox({ store, target: { url, token: 't' }, client, now, log: noopLog });
  return { outbox, waiting: async () => (await store.listRecords('hub-alarms')).length };
}

test('an alarm is delivered once and removed', async () => {
  const { url, received } = await startReceiver();
  const { outbox, waiting } = open(url);
  await outbox.add(ALARM);
  await outbox.deliverDue(PATIENT);
  await outbox.deliverDue(PATIENT);
  expect(received).toEqual([{ authorization: 'Bearer t', body: ALARM }]);
  expect(await waiting()).toBe(0);
});

test('an undelivered alarm is kept and retried', async () => {
  const { url, received } = await startReceiver(503, 503);
  let now = Date.now();
  const { outbox, waiting } = open(url, { now: () => now });
  await outbox.add(ALARM);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await outbox.deliverDue(PATIENT);
    expect(received).toHaveLength(attempt);
    expect(await waiting()).toBe(attempt < 3 ? 1 : 0);
    now += 10 * 60_000;
  }
});

test('an alarm is abandoned after a day', async () => {
  const { url } = await startReceiver(500, 500);
  let now = Date.now();
  const { outbox, waiting } = open(url, { now: () => now });
  await outbox.add(ALARM);
  await outbox.deliverDue(PATIENT);
  now += 25 * 3_600_000;
  await outbox.deliverDue(PATIENT);
  expect(await waiting()).toBe(0);
});

test('a forbidden address is not called', async () => {
  const { url, received } = await startReceiver();
  const { outbox, waiting } = open(url, { allow: [] });
  await outbox.add(ALARM);
  await outbox.deliverDue(PATIENT);
  expect(received).toEqual([]);
  expect(await waiting()).toBe(1);
});

test('an attempt that is aborted at shutdown is repeated after a restart', async () => {
  const { url } = await startReceiver();
  const { outbox, waiting } = open(url);
  await outbox.add(ALARM);
  await outbox.deliverDue(AbortSignal.abort());
  expect(await waiting()).toBe(1);
});
