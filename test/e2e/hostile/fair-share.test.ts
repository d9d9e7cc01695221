import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Limits, RuntimeOptions } from '@holdword/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectError, expectStreamError } from '../expect-error.ts';
import { allEvents, say, sayAndLeave, sendForTask, unique } from '../conversation.ts';
import type { Binding, Driver } from '../../support/drivers/driver.ts';
import { startAgent } from '../../support/start-agent.ts';
import { startWebhook } from '../../support/start-webhook.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';

/*
 * One caller takes all it can get: turns that never end, places in the queue, streams, webhooks that never answer, space in
 * the store. What others get must not depend on that.
 */

watchForLeaks();

const FOREVER = 'wait never';
const BINDINGS = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

async function serve(options: { limits?: Limits; runtime?: Partial<RuntimeOptions> } = {}) {
  const agent = await startAgent({ apiKeys: true, ...options });
  onTestFinished(() => agent.close());
  const tokens = new Map<string, string>();
  return async (name: string, binding: Binding = 'JSONRPC'): Promise<Driver> => {
    const token = tokens.get(name) ?? (await agent.addKey(name));
    tokens.set(name, token);
    const choice = { binding, version: '1.0', client: 'raw' } as const;
    return agent.driver(choice, { authorization: `Bearer ${token}` });
  };
}

/** Sends until the server refuses, and returns how many messages it has accepted. */
async function sendUntilRefused(driver: Driver, most: number, text = FOREVER): Promise<number> {
  for (let sent = 0; sent < most; sent += 1) {
    const refused = await driver.send(sayAndLeave(text)).then(
      () => false,
      () => true,
    );
    if (refused) return sent;
  }
  return most;
}

describe('a caller with more long turns than the server runs and queues', () => {
  it.each(BINDINGS)('keeps nobody else from running turns (%s)', async (binding) => {
    const as = await serve({ runtime: { maxConcurrentTurns: 8, maxQueuedTurns: 40 } });
    const alice = await as('alice', binding);
    expect(await sendUntilRefused(alice, 60)).toBe(6 + 30);
    const error = await expectError(alice, 'RESOURCE_EXHAUSTED', alice.send(sayAndLeave(FOREVER)));
    expect(error.message).toContain('6 of your turns are running and 30 are queued');

    const bob = await as('bob', binding);
    // Blocking, one after the other, and more at once than there are slots for him.
    for (let sent = 0; sent < 3; sent += 1) {
      const task = await sendForTask(bob, say('artifact a 1; complete'));
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    }
    await Promise.all([1, 2].map(() => sendForTask(bob, say('artifact a 1; complete'))));
    const events = await allEvents(bob.stream(say('artifact a 1; complete')));
    expect(events.at(-1)).toMatchObject({
      statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  it('gains nothing by naming other tenants', async () => {
    const as = await serve({ runtime: { maxConcurrentTurns: 8, maxQueuedTurns: 8 } });
    const alice = await as('alice');
    let accepted = 0;
    for (let tenant = 0; tenant < 30; tenant += 1) {
      const sending = alice.send({ ...sayAndLeave(FOREVER), tenant: `tenant-${tenant}` });
      accepted += await sending.then(
        () => 1,
        () => 0,
      );
    }
    expect(accepted).toBe(6 + 6);
    await sendForTask(await as('bob'), say('complete'));
  });

  it('and many others like it leave a slot to one who has none', async () => {
    const as = await serve({ runtime: { maxConcurrentTurns: 16, maxQueuedTurns: 100 } });
    for (const hog of ['alice', 'carol', 'dave']) await sendUntilRefused(await as(hog), 100);
    const task = await sendForTask(await as('bob'), say('complete'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('a caller with more streams than the server has', () => {
  it('keeps nobody else from opening one', async () => {
    const as = await serve({ limits: { streams: 8, streamsPerCaller: 100 } });
    const alice = await as('alice');
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    for (let open = 0; open < 6; open += 1) {
      const stream = alice.stream(say(FOREVER), { signal: abort.signal });
      await stream[Symbol.asyncIterator]().next();
    }
    const error = await expectStreamError(alice, 'RESOURCE_EXHAUSTED', alice.stream(say(FOREVER)));
    expect(error.message).toContain(
      'you have 6 open streams, and the last 2 of 8 are for callers with fewer',
    );
    await allEvents((await as('bob')).stream(say('complete')));
  });

  it('nor from sending a message and waiting for its task', async () => {
    const as = await serve({ limits: { streams: 8, streamsPerCaller: 3 } });
    const alice = await as('alice');
    const abort = new AbortController();
    const waiting = [1, 2, 3].map(() =>
      alice.send(say(FOREVER), { signal: abort.signal }).catch(() => 'aborted'),
    );
    await waitUntil('three tasks', async () => (await alice.list({})).totalSize === 3);
    const error = await expectError(alice, 'RESOURCE_EXHAUSTED', alice.send(say('complete')));
    expect(error.message).toContain('Too many blocking requests: you have 3 open');
    await alice.send(sayAndLeave('complete'));
    await sendForTask(await as('bob'), say('complete'));
    abort.abort();
    expect(await Promise.all(waiting)).toEqual(['aborted', 'aborted', 'aborted']);
  });
});

/** A receiver on its own port that never answers. */
async function startHangingReceiver(): Promise<string> {
  const server: Server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

describe('a caller with webhooks that never answer', () => {
  it('delays no notification of another', async () => {
    const push = { allowPrivate: ['127.0.0.0/8'], concurrency: 8, timeoutMilliseconds: 60_000 };
    const as = await serve({ runtime: { push } });
    const alice = await as('alice');
    const ports = await Promise.all(Array.from({ length: 12 }, startHangingReceiver));
    for (let count = 0; count < 120; count += 1) {
      const taskPushNotificationConfig = { url: ports[count % ports.length] ?? '' };
      await alice.send(
        say('complete', {}, { configuration: { returnImmediately: true, taskPushNotificationConfig } }),
      );
    }
    const webhook = await startWebhook();
    onTestFinished(() => webhook.close());
    const bob = await as('bob');
    const name = unique('bob');
    const taskPushNotificationConfig = { url: webhook.url(name) };
    await bob.send(say('artifact a 1; complete', {}, { configuration: { taskPushNotificationConfig } }));
    // Long before the first of alice's requests times out.
    await waitUntil("bob's notifications", () => webhook.notifications(name).length >= 3);
  });
});

describe('a caller who has stored as much as it may', () => {
  it.each(BINDINGS)(
    'is told so and not when to retry, and others store what they like (%s)',
    async (binding) => {
      const as = await serve({ runtime: { maxTasksPerCaller: 5 } });
      const alice = await as('alice', binding);
      const waiting = await sendForTask(alice, say('ask more?'));
      expect(await sendUntilRefused(alice, 10, 'complete')).toBe(4);
      const error = await expectError(alice, 'RESOURCE_EXHAUSTED', alice.send(say('complete')));
      expect(error.message).toContain('You have 5 stored tasks, and your limit is 5.');
      expect(error.headers['retry-after']).toBeUndefined();
      expect(JSON.stringify(error.details)).toMatch(/^(?!.*RetryInfo).*tasksPerCaller/);
      await sendForTask(alice, say('complete', { taskId: waiting.id }));
      await sendForTask(await as('bob'), say('complete'));
    },
  );

  it('is told how much it is', async () => {
    const as = await serve({ runtime: { maxStoredBytesPerCaller: 100_000 } });
    const alice = await as('alice');
    await sendForTask(alice, say(`artifact large ${'x'.repeat(100_000)}; complete`));
    await waitUntil('a refusal', async () => {
      const refused = await alice.send(say('complete')).catch((problem: unknown) => problem);
      return String(refused).includes('and your limit is 100000');
    });
    await sendForTask(await as('bob'), say('complete'));
  });
});
