import { setTimeout as pause } from 'node:timers/promises';
import { openMemoryStore, type Store } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { collectingLog } from '../engine/testing/start-test-engine.ts';
import { PushOutbox, type PushOptions } from './push-outbox.ts';
import { type PushTarget, replayTargets } from './push-targets.ts';
import { startReceiver } from './testing/start-receiver.ts';

const LOOPBACK: PushOptions = { allowPrivate: ['127.0.0.0/8'] };

async function startOutbox(store: Store, options: PushOptions = LOOPBACK, holder = 'me') {
  const logged: string[] = [];
  const outbox = await PushOutbox.start(
    store,
    collectingLog(logged),
    { holder, leaseMilliseconds: 15_000 },
    options,
  );
  onTestFinished(() => outbox.stop());
  return { outbox, logged };
}

/** A task with events numbered from 1, which can get more. */
async function writeTask(store: Store, taskId: string, events: number, ended = false) {
  const state = ended ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING';
  const result = await store.createTask({
    taskId,
    owner: '["","me"]',
    contextId: 'context',
    status: { state, time: 1, json: JSON.stringify({ state }) },
    entries: Array.from({ length: events }, (_, index) => ({
      json: `{"statusUpdate":${index + 1}}`,
      changesStatus: true,
    })),
    holder: 'writer',
  });
  const fence = result.created ? result.fence : 0;
  let next = events + 1;
  return {
    append: async (more: number, end = false) => {
      const entries = Array.from({ length: more }, () => ({
        json: '{"statusUpdate":"more"}',
        changesStatus: true,
      }));
      const last = end ? ('TASK_STATE_COMPLETED' as const) : ('TASK_STATE_WORKING' as const);
      const status = { state: last, time: 2, json: JSON.stringify({ state: last }) };
      await store.append({ taskId, fence, firstSequence: next, entries, status });
      next += more;
    },
  };
}

function targetOf(url: string, more: Partial<PushTarget> = {}): PushTarget {
  return {
    taskId: 'task',
    configId: 'config',
    owner: '["","me"]',
    url,
    version: '1.0',
    createdAt: Date.now(),
    delivered: 0,
    ...more,
  };
}

async function stored(outbox: PushOutbox, configId = 'config'): Promise<PushTarget | undefined> {
  return (await outbox.records.find({ taskId: 'task', configId }))?.target;
}

test('existing and new events are delivered in order, and the target ends with the task (J11)', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const receiver = await startReceiver();
  const task = await writeTask(store, 'task', 40);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(() => receiver.accepted.length).toBe(40);
  await task.append(3, true);
  await expect.poll(() => receiver.accepted).toEqual(Array.from({ length: 43 }, (_, index) => index + 1));
  await expect.poll(async () => (await stored(outbox))?.finishedAt).toBeDefined();
  expect(outbox.health()).toMatchObject({ activeTargets: 0, deliveredEvents: 43, failedAttempts: 0 });
});

test('what an agent says after the end of its task is also delivered', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const receiver = await startReceiver();
  const task = await writeTask(store, 'task', 1, true);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(async () => (await stored(outbox))?.finishedAt).toBeDefined();
  await task.append(1, true);
  await expect.poll(() => receiver.accepted).toEqual([1, 2]);
});

test('a target configured before its task gets everything', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const receiver = await startReceiver();
  await outbox.add(targetOf(receiver.url));
  await writeTask(store, 'task', 2, true);
  await expect.poll(() => receiver.accepted).toEqual([1, 2]);
});

test('a target whose task was never created is removed at a later start', async () => {
  const store = openMemoryStore();
  const first = await startOutbox(store);
  await first.outbox.add(targetOf('https://receiver.example/', { createdAt: Date.now() - 3_600_000 }));
  const { outbox } = await startOutbox(store);
  await expect.poll(() => stored(outbox)).toBeUndefined();
});

test('a failed event is sent again, with the same delivery id, before the next one', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  let failures = 2;
  const receiver = await startReceiver(() => ({ status: failures-- > 0 ? 500 : 200 }));
  await writeTask(store, 'task', 3, true);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(() => receiver.accepted).toEqual([1, 2, 3]);
  const ids = receiver.received.map(({ headers }) => headers['holdword-delivery-id']);
  expect(ids).toEqual([1, 1, 1, 2, 3].map((sequence) => `task/config/${sequence}`));
  expect(outbox.health()).toMatchObject({ failedAttempts: 2, failingTargets: 0 });
});

test('the receiver is not called for as long as it asked', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const receiver = await startReceiver(() => ({ status: 503, headers: { 'Retry-After': '600' } }));
  const task = await writeTask(store, 'task', 1);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(async () => (await stored(outbox))?.failure?.attempts).toBe(1);
  const wait = ((await stored(outbox))?.failure?.nextAttemptAt ?? 0) - Date.now();
  expect(wait).toBeGreaterThan(590_000);
  await task.append(1);
  expect(receiver.received).toHaveLength(1);
  expect(outbox.health()).toMatchObject({ activeTargets: 1, failingTargets: 1 });
});

test('410 abandons the target at once, and a replay continues where it was', async () => {
  const store = openMemoryStore();
  const { outbox, logged } = await startOutbox(store);
  let gone = true;
  const receiver = await startReceiver(({ headers }) => ({
    status: gone && headers['holdword-delivery-id'] === 'task/config/2' ? 410 : 200,
  }));
  await writeTask(store, 'task', 3, true);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(async () => (await stored(outbox))?.deadSince).toBeDefined();
  await expect.poll(() => outbox.health()).toMatchObject({ activeTargets: 0, deadTargets: 1 });
  expect(logged.join()).toContain('Abandoned');

  gone = false;
  expect(await replayTargets(store, { taskId: 'task' })).toHaveLength(1);
  await expect.poll(() => receiver.accepted).toEqual([1, 2, 3]);
  await expect.poll(() => outbox.health()).toMatchObject({ deadTargets: 0 });
});

test('a refusal is retried a few times, then the target is abandoned', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const receiver = await startReceiver(() => ({ status: 404 }));
  await writeTask(store, 'task', 1, true);
  const since = Date.now();
  await outbox.add(
    targetOf(receiver.url, {
      failure: {
        attempts: 3,
        since,
        nextAttemptAt: 0,
        failingMilliseconds: 0,
        pauseMilliseconds: 60_000,
        error: 'answered 404',
      },
    }),
  );
  await expect.poll(async () => (await stored(outbox))?.deadSince).toBeDefined();
  expect((await stored(outbox))?.failure).toMatchObject({ attempts: 5, error: 'answered 404' });
});

test('an event that is not delivered within the configured time abandons the target', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store, { ...LOOPBACK, deadLetterMilliseconds: 1 });
  const receiver = await startReceiver(() => ({ status: 500 }));
  await writeTask(store, 'task', 1, true);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(async () => (await stored(outbox))?.deadSince).toBeDefined();
});

test('a forbidden address is not called, and the record says why', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store, {});
  const receiver = await startReceiver();
  await writeTask(store, 'task', 1, true);
  await outbox.add(targetOf(receiver.url.replace('http:', 'https:')));
  await expect
    .poll(async () => (await stored(outbox))?.failure?.error)
    .toContain('forbidden range (loopback)');
  expect(receiver.received).toEqual([]);
});

test('a receiver that does not respond in time counts as failed', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store, { ...LOOPBACK, timeoutMilliseconds: 50 });
  const receiver = await startReceiver(() => new Promise(() => {}));
  await writeTask(store, 'task', 1, true);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(async () => (await stored(outbox))?.failure?.error).toBe('no response within 0.05 s');
});

test('a removed target gets nothing more', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const receiver = await startReceiver();
  const task = await writeTask(store, 'task', 1);
  await outbox.add(targetOf(receiver.url));
  await expect.poll(() => receiver.accepted).toEqual([1]);
  await outbox.remove({ taskId: 'task', configId: 'config' });
  await expect.poll(() => outbox.health().activeTargets).toBe(0);
  const witness = await startReceiver();
  await outbox.add(targetOf(witness.url, { configId: 'witness' }));
  await task.append(1);
  await expect.poll(() => witness.accepted).toEqual([1, 2]);
  expect(receiver.accepted).toEqual([1]);
  expect(await stored(outbox)).toBeUndefined();
});

test('a target that is configured again continues with its new URL', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const [first, second] = [await startReceiver(), await startReceiver()];
  const task = await writeTask(store, 'task', 2);
  await outbox.add(targetOf(first.url));
  await expect.poll(async () => (await stored(outbox))?.delivered).toBe(2);
  await outbox.add(targetOf(second.url));
  await task.append(2, true);
  await expect.poll(() => second.accepted).toEqual([3, 4]);
  expect(first.accepted).toEqual([1, 2]);
});

test('undelivered events go to the new URL of a target that is configured again', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store);
  const [broken, working] = [await startReceiver(() => ({ status: 503 })), await startReceiver()];
  await writeTask(store, 'task', 3, true);
  await outbox.add(targetOf(broken.url));
  await expect.poll(async () => (await stored(outbox))?.failure).toBeDefined();
  await outbox.add(targetOf(working.url, { delivered: 3 }));
  await expect.poll(() => working.accepted).toEqual([1, 2, 3]);
});

test('a new process continues where the last one stopped', async () => {
  const store = openMemoryStore();
  const first = await startOutbox(store);
  const receiver = await startReceiver();
  const task = await writeTask(store, 'task', 2);
  await first.outbox.add(targetOf(receiver.url));
  await expect.poll(() => receiver.accepted).toEqual([1, 2]);
  await first.outbox.stop();
  await task.append(2, true);
  await startOutbox(store);
  await expect.poll(() => receiver.accepted).toEqual([1, 2, 3, 4]);
});

test('among processes that share a store, one delivers at a time, and another takes over when it stops', async () => {
  const store: Store = Object.assign(openMemoryStore(), { isShared: true });
  const receiver = await startReceiver();
  const task = await writeTask(store, 'task', 3);
  const first = await startOutbox(store, LOOPBACK, 'first');
  await first.outbox.add(targetOf(receiver.url));
  await expect.poll(() => receiver.accepted).toEqual([1, 2, 3]);
  const second = await startOutbox(store, LOOPBACK, 'second');
  await task.append(3);
  await expect.poll(() => receiver.accepted).toEqual([1, 2, 3, 4, 5, 6]);
  expect(second.outbox.health().deliveredEvents).toBe(0);
  expect((await stored(second.outbox))?.claim?.holder).toBe('first');

  await first.outbox.stop();
  await replayTargets(store, { taskId: 'task', from: 6 });
  await expect.poll(() => second.outbox.health().deliveredEvents).toBe(1);
  expect(receiver.accepted).toEqual([1, 2, 3, 4, 5, 6, 6]);
});

test('a slow receiver does not block those of other callers', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store, { ...LOOPBACK, concurrency: 4 });
  const [slow, quick] = [await startReceiver(() => new Promise(() => {})), await startReceiver()];
  for (let index = 0; index < 5; index += 1) {
    await writeTask(store, `slow ${index}`, 1, true);
    await outbox.add(targetOf(slow.url, { taskId: `slow ${index}` }));
  }
  await writeTask(store, 'task', 1, true);
  await outbox.add(targetOf(quick.url, { owner: '["","other"]' }));
  await expect.poll(() => quick.accepted).toEqual([1]);
  expect(slow.received.length).toBeLessThanOrEqual(1);
});

test('a task and a caller can have only so many targets', async () => {
  const store = openMemoryStore();
  const { outbox } = await startOutbox(store, { ...LOOPBACK, targetsPerTask: 2, targetsPerCaller: 3 });
  const receiver = await startReceiver();
  const add = (taskId: string, configId: string, owner = '["","me"]') =>
    outbox.add(targetOf(receiver.url, { taskId, configId, owner }));
  const task = await writeTask(store, 'a', 1);
  await add('a', '1');
  await add('a', '2');
  await add('a', '2');
  await expect(add('a', '3')).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    metadata: { limit: 'push.targetsPerTask' },
    message: 'A task can have at most 2 push configurations. Delete one that is no longer needed.',
  });
  await add('b', '1');
  await expect(add('c', '1')).rejects.toMatchObject({
    metadata: { limit: 'push.targetsPerCaller', limitScope: 'caller' },
    message: expect.stringContaining('You have 3 active push configurations'),
  });
  await add('c', '1', '["","another"]');
  // Targets whose task has ended, and removed ones, no longer count.
  await task.append(1, true);
  await expect.poll(() => outbox.health().activeTargets).toBe(2);
  await add('c', '2');
  await outbox.remove({ taskId: 'b', configId: '1' });
  await expect.poll(() => add('d', '1').then(() => 'added', String)).toBe('added');
});

/** A store whose reads of single records can be replaced, as scans begin with one. */
function storeReading(read: { before?: () => Promise<void> }): Store {
  return new Proxy(openMemoryStore(), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'getRecord') return value.bind(target);
      return async (...given: unknown[]) => {
        await read.before?.();
        return value.apply(target, given);
      };
    },
  });
}

test('only one scan runs at a time, and stopping does not wait for one that hangs', async () => {
  const read: { before?: () => Promise<void> } = {};
  const { outbox } = await startOutbox(storeReading(read));
  let scans = 0;
  read.before = () => {
    scans += 1;
    return new Promise(() => {});
  };
  await expect.poll(() => scans, { timeout: 5_000 }).toBe(1);
  await pause(1_500);
  expect(scans).toBe(1);
  const begun = performance.now();
  await outbox.stop();
  expect(performance.now() - begun).toBeLessThan(3_000);
});

test('slow scans do not overlap or pile up, and none starts after the stop', async () => {
  const read: { before?: () => Promise<void> } = {};
  const { outbox } = await startOutbox(storeReading(read));
  let running = 0;
  let most = 0;
  let begun = 0;
  read.before = async () => {
    begun += 1;
    most = Math.max(most, ++running);
    await pause(2_200);
    running -= 1;
  };
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(2);
  await outbox.stop();
  await pause(2_500);
  expect({ most, begun, running }).toEqual({ most: 1, begun: 2, running: 0 });
});
