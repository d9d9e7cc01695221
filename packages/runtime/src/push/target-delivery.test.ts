import { openMemoryStore, type Store } from '@holdword/store';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { noopLog } from '../log.ts';
import { PushOutbox, type PushOptions } from './push-outbox.ts';
import { listPushTargets, type PushTarget } from './push-targets.ts';
import { startReceiver } from './testing/start-receiver.ts';

const HOUR = 60 * 60_000;
const POLL = { timeout: 15_000 };

afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock, as an operator or NTP does. Timers and the monotonic clock are not affected. */
function stepClock(milliseconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + milliseconds });
}

async function startOutbox(store: Store, options: PushOptions = {}, holder = 'me'): Promise<PushOutbox> {
  const life = { holder, leaseMilliseconds: 15_000 };
  const outbox = await PushOutbox.start(store, noopLog, life, { allowPrivate: ['127.0.0.0/8'], ...options });
  onTestFinished(() => outbox.stop());
  return outbox;
}

/** A receiver that is down until it is told to be well, and a task with one event for it. */
async function startFailing(options: PushOptions = {}) {
  const store = openMemoryStore();
  const outbox = await startOutbox(store, options);
  let status = 503;
  const receiver = await startReceiver(() => ({ status }));
  await store.createTask({
    taskId: 'task',
    owner: '["","me"]',
    contextId: 'context',
    status: { state: 'TASK_STATE_COMPLETED', time: 1, json: '{"state":"TASK_STATE_COMPLETED"}' },
    entries: [{ json: '{"statusUpdate":1}', changesStatus: true }],
  });
  await outbox.add(targetOf(receiver.url));
  await expect.poll(() => receiver.received.length, POLL).toBeGreaterThan(0);
  await expect.poll(async () => (await listPushTargets(store))[0]?.state).toBe('failing');
  return { store, outbox, receiver, recover: () => (status = 204) };
}

function targetOf(url: string, more: Partial<PushTarget> = {}): PushTarget {
  const names = { taskId: 'task', configId: 'config', owner: '["","me"]' };
  return { ...names, url, version: '1.0', createdAt: Date.now(), delivered: 0, ...more };
}

test('a clock that is set back does not delay the next attempt', async () => {
  const { receiver, recover } = await startFailing();
  stepClock(-HOUR);
  recover();
  await expect.poll(() => receiver.accepted, POLL).toEqual([1]);
});

test('after a restart with the clock set back, the pause is as long as planned at most', async () => {
  const { store, outbox, receiver, recover } = await startFailing();
  await outbox.stop();
  stepClock(-HOUR);
  recover();
  await startOutbox(store);
  await expect.poll(() => receiver.accepted, POLL).toEqual([1]);
});

test('a clock that is set forward does not abandon a target', async () => {
  const { store, receiver, recover } = await startFailing({ deadLetterMilliseconds: HOUR });
  stepClock(48 * HOUR);
  const attempts = receiver.received.length;
  await expect.poll(() => receiver.received.length, POLL).toBeGreaterThan(attempts);
  await expect.poll(async () => (await listPushTargets(store))[0]?.attempts).toBeGreaterThan(attempts);
  expect(await listPushTargets(store)).toMatchObject([{ state: 'failing' }]);
  recover();
  await expect.poll(() => receiver.accepted, POLL).toEqual([1]);
});

test('the time that a target fails adds up over restarts', async () => {
  const { store, outbox } = await startFailing({ deadLetterMilliseconds: 1_200 });
  await outbox.stop();
  await startOutbox(store, { deadLetterMilliseconds: 1_200 });
  await expect.poll(async () => (await listPushTargets(store))[0]?.state, POLL).toBe('dead');
});

test("another process's claim does not outlast its time when the clock is set back", async () => {
  const store: Store = Object.assign(openMemoryStore(), { isShared: true });
  const receiver = await startReceiver();
  const life = { holder: 'second', leaseMilliseconds: 300 };
  const claimMilliseconds = Math.max(life.leaseMilliseconds, 3 * 100);
  const outbox = await PushOutbox.start(store, noopLog, life, {
    allowPrivate: ['127.0.0.0/8'],
    timeoutMilliseconds: 100,
  });
  onTestFinished(() => outbox.stop());
  await store.createTask({
    taskId: 'task',
    owner: '["","me"]',
    contextId: 'context',
    status: { state: 'TASK_STATE_COMPLETED', time: 1, json: '{"state":"TASK_STATE_COMPLETED"}' },
    entries: [{ json: '{"statusUpdate":1}', changesStatus: true }],
  });
  // Written by a process that has died since, before the clock was set back.
  const until = Date.now() + claimMilliseconds;
  stepClock(-HOUR);
  await outbox.add(targetOf(receiver.url, { claim: { holder: 'first', until } }));
  await expect.poll(() => receiver.accepted, POLL).toEqual([1]);
});
