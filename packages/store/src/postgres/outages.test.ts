import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Store } from '../port.ts';
import { isStoreError } from '../store-error.ts';
import { crashEventJson } from '../testing/crash-event.ts';
import { expectAcknowledged } from '../testing/expect-acknowledged.ts';
import { startCuttingProxy } from '../testing/postgres/cutting-proxy.ts';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import {
  createSampleTask,
  readAllEvents,
  sampleEntries,
  sampleStatus,
  sampleTask,
} from '../testing/sample-task.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const LONG = 60_000;
const postgres = usePostgres();

/** Retries a write while the store is unavailable, like the journal writer. */
async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreError(error) || error.code !== 'unavailable') throw error;
      await pause(20);
    }
  }
}

/** Writes one task after another until stopped, and records what was acknowledged. */
async function writeTasks(store: Store, acknowledged: Map<string, number>, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const taskId = randomUUID();
    const created = await persist(() =>
      store.createTask({
        taskId,
        owner: 'crash',
        contextId: 'context',
        status: sampleStatus('TASK_STATE_SUBMITTED'),
        entries: [{ json: crashEventJson(taskId, 1), changesStatus: true }],
        holder: 'process-1',
        idempotency: { key: taskId, payloadHash: 'hash' },
      }),
    );
    expect(created).toEqual({ created: true, fence: 1 });
    acknowledged.set(taskId, 1);
    for (let sequence = 2; sequence <= 5; sequence += 1) {
      const entries = [{ json: crashEventJson(taskId, sequence), changesStatus: true }];
      const status = sampleStatus('TASK_STATE_WORKING', sequence);
      await persist(() => store.append({ taskId, fence: 1, firstSequence: sequence, entries, status }));
      acknowledged.set(taskId, sequence);
    }
  }
}

async function grown(acknowledged: ReadonlyMap<string, number>, by: number): Promise<void> {
  const target = acknowledged.size + by;
  await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThanOrEqual(target), { timeout: 20_000 });
}

async function elapsed(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

describe('postgres store and its server', () => {
  it.each([
    ['with a long timeout', 10_000],
    ['with a short timeout', 400],
  ])(
    '%s: loses and duplicates nothing when the server is restarted and killed under load (J1, J2)',
    async (_, timeoutMilliseconds) => {
      const server = postgres();
      const schema = server.newSchema();
      const store = await openPostgresStore({ url: server.url, schema, timeoutMilliseconds });
      const acknowledged = new Map<string, number>();
      const stop = new AbortController();
      const writers = Array.from({ length: 16 }, () => writeTasks(store, acknowledged, stop.signal));
      await grown(acknowledged, 50);
      await server.restart();
      await grown(acknowledged, 50);
      await server.crash();
      await grown(acknowledged, 50);
      stop.abort();
      await Promise.all(writers);
      await persist(() => expectAcknowledged(store, acknowledged));
      await store.close();
    },
    60_000,
  );

  it('rejects every call in time while the server is down, and continues when it is back', async () => {
    const server = postgres();
    const options = { url: server.url, schema: server.newSchema(), timeoutMilliseconds: 400 };
    const store = await openPostgresStore(options);
    const { taskId } = await createSampleTask(store);
    await server.pause();
    const calls = [
      store.createTask(sampleTask()),
      store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) }),
      store.readTask(taskId),
      store.listOrphans(1),
      store.heartbeat('process-1', LONG),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    await server.resume();
    await persist(() => store.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) }));
    expect(await persist(() => store.readTask(taskId))).toMatchObject({ lastSequence: 2 });
    await store.close();
  }, 30_000);

  it('fails fast once it is known that the server is down, closes at once, and reads when it is back', async () => {
    const server = postgres();
    const proxy = await startCuttingProxy(server.url);
    const options = { schema: server.newSchema(), timeoutMilliseconds: 2000 };
    const store = await openPostgresStore({ ...options, url: proxy.url });
    const { taskId } = await createSampleTask(store);
    proxy.cut();
    const failing = () => expect(store.readTask(taskId)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await elapsed(failing)).toBeGreaterThan(1500);
    expect(await elapsed(failing)).toBeLessThan(1500);
    proxy.mend();
    expect(await persist(() => store.readTask(taskId))).toMatchObject({ taskId });

    proxy.cut();
    await expect(store.putRecord('keys', 'a', 'value')).rejects.toMatchObject({ code: 'unavailable' });
    const lost = expect(store.putRecord('keys', 'b', 'value')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await elapsed(() => store.close())).toBeLessThan(1500);
    await lost;
    await proxy.close();
  }, 30_000);

  it('closes in time while the server is down', async () => {
    const server = postgres();
    const options = { url: server.url, schema: server.newSchema(), timeoutMilliseconds: 300 };
    const store = await openPostgresStore(options);
    await server.pause();
    const write = store.putRecord('keys', 'a', 'value');
    await Promise.all([expect(write).rejects.toMatchObject({ code: 'unavailable' }), store.close()]);
    await server.resume();
  }, 30_000);

  it('does not make a write that it has already rejected', async () => {
    const server = postgres();
    const schema = server.newSchema();
    const store = await openPostgresStore({ url: server.url, schema, timeoutMilliseconds: 300 });
    const rejected = sampleTask();
    const locked = server.query(`BEGIN; LOCK TABLE "${schema}".tasks; SELECT pg_sleep(1); COMMIT`);
    await vi.waitFor(async () => {
      const locks = await server.query(
        "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted",
      );
      expect(locks).not.toEqual([]);
    });
    await expect(store.createTask(rejected)).rejects.toMatchObject({ code: 'unavailable' });
    await locked;
    // Queued after the other write to the same task.
    await persist(() => store.releaseLease(rejected.taskId, 1));
    expect(await store.readTask(rejected.taskId)).toBeUndefined();
    await store.close();
  }, 30_000);

  it.each(['sender', 'receiver'])(
    'reports missed commits and receives new ones after the connections of the %s were closed',
    async (ended) => {
      const server = postgres();
      const schema = server.newSchema();
      const [sender, receiver] = await Promise.all(
        ['sender', 'receiver'].map((name) =>
          openPostgresStore({ url: `${server.url}?application_name=${name}`, schema }),
        ),
      );
      const received: string[] = [];
      let missed = 0;
      receiver?.onCommit((commits) => {
        if (commits.length === 0) missed += 1;
        received.push(...commits.map(({ taskId }) => taskId));
      });
      await server.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
        [ended],
      );
      await vi.waitFor(() => expect(missed).toBeGreaterThan(0), { timeout: 5000 });
      const { taskId } = await createSampleTask(sender as Store);
      await vi.waitFor(() => expect(received).toContain(taskId), { timeout: 5000 });
      await Promise.all([sender?.close(), receiver?.close()]);
    },
    30_000,
  );

  it('reports missed commits when a process dies between its commit and the notification', async () => {
    const server = postgres();
    const schema = server.newSchema();
    const store = await openPostgresStore({ url: server.url, schema });
    let missed = 0;
    store.onCommit((commits) => {
      if (commits.length === 0) missed += 1;
    });
    await server.query(
      `INSERT INTO "${schema}".writers (id, last_group, last_journal_group, seen_at)
       VALUES (gen_random_uuid(), 3, 3, "${schema}".now_milliseconds())`,
    );
    await vi.waitFor(() => expect(missed).toBeGreaterThan(0), { timeout: 10_000 });
    await store.close();
  }, 30_000);
});

describe('postgres store whose responses are lost', () => {
  it('makes each write once and still reports its outcome', async () => {
    const server = postgres();
    const proxy = await startCuttingProxy(server.url);
    const store = await openPostgresStore({ url: proxy.url, schema: server.newSchema() });
    const { taskId } = await createSampleTask(store, { holder: 'process-1' });
    await store.putRecord('keys', 'a', 'value');

    proxy.swallowResponses();
    const results = Promise.all([
      store.acquireLease(taskId, 'process-1'),
      store.deleteRecord('keys', 'a'),
      createSampleTask(store, { idempotency: { key: 'key-1', payloadHash: 'hash' } }),
    ]);
    await proxy.swallowed();
    proxy.cut();
    proxy.mend();
    expect(await results).toMatchObject([2, true, { owner: 'tenant/alice' }]);
    expect(await store.readTask(taskId)).toMatchObject({ fence: 2 });
    expect(await store.listTasks({ owner: 'tenant/alice', limit: 9 })).toMatchObject({ totalSize: 2 });
    await store.close();
    await proxy.close();
  }, 30_000);

  it('accepts a repeated append or task after it has rejected them', async () => {
    const server = postgres();
    const proxy = await startCuttingProxy(server.url);
    const schema = server.newSchema();
    const witness = await openPostgresStore({ schema, url: server.url });
    // A short timeout only where it is meant to pass: a busy machine takes longer for the rest.
    const store = await openPostgresStore({ schema, url: proxy.url, timeoutMilliseconds: 300 });
    await witness.heartbeat('process-1', LONG);
    const { taskId } = await createSampleTask(witness);
    const free = await createSampleTask(witness, { holder: 'gone' });
    const append = { taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 700) };
    const second = sampleTask({ idempotency: { key: 'key-1', payloadHash: 'hash' } });

    proxy.swallowResponses();
    const rejections = [
      store.append(append),
      store.createTask(second),
      store.acquireLease(free.taskId, 'process-1'),
    ];
    for (const result of await Promise.allSettled(rejections)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    await vi.waitFor(
      async () => {
        expect(await witness.readTask(taskId)).toMatchObject({ lastSequence: 701 });
        expect(await witness.readTask(second.taskId)).toBeDefined();
        expect(await witness.readTask(free.taskId)).toMatchObject({ fence: 2 });
      },
      { timeout: 10_000 },
    );
    proxy.cut();
    proxy.mend();

    await persist(() => store.append(append));
    expect(await persist(() => store.createTask(second))).toEqual({ created: true, fence: 1 });
    expect(await readAllEvents(witness, taskId)).toHaveLength(701);
    expect(await witness.readEvents(second.taskId, 0, 9)).toHaveLength(1);
    // The repeated task is held, and the lease that nobody knew about has been released.
    expect(await witness.acquireLease(second.taskId, 'process-2')).toBeUndefined();
    expect(await witness.acquireLease(free.taskId, 'process-2')).toBe(3);
    await Promise.all([store.close(), witness.close()]);
    await proxy.close();
  }, 30_000);
});
