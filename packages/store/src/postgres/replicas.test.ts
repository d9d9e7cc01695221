import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../port.ts';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { createSampleTask, sampleEntries, sampleStatus, sampleTask } from '../testing/sample-task.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const LONG = 60_000;
const EXPIRED = -1;
const postgres = usePostgres();

/** Creates and completes a task. */
async function completeTask(store: Store): Promise<void> {
  const { taskId } = await createSampleTask(store);
  await store.append({
    taskId,
    fence: 1,
    firstSequence: 2,
    entries: [{ json: '{}', changesStatus: true }],
    status: sampleStatus('TASK_STATE_COMPLETED'),
  });
}

describe('postgres stores on one database', () => {
  let stores: Store[];
  let one: Store;
  let other: Store;
  beforeEach(async () => {
    const { url, newSchema } = postgres();
    const options = { url, schema: newSchema(), poolSize: 2 };
    [one, other] = await Promise.all([openPostgresStore(options), openPostgresStore(options)]);
    stores = [one, other];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });

  it('notify each other of commits, even of many at once', async () => {
    const received = new Map<string, number>();
    other.onCommit((commits) => {
      for (const { taskId, lastSequence } of commits) received.set(taskId, lastSequence);
    });
    const tasks = await Promise.all(Array.from({ length: 600 }, () => createSampleTask(one)));
    await vi.waitFor(() => expect(received.size).toBe(tasks.length), { timeout: 5000 });

    const [first] = tasks;
    const taskId = first?.taskId ?? '';
    await one.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 3) });
    await vi.waitFor(() => expect(received.get(taskId)).toBe(4), { timeout: 5000 });
  });

  it('do not take a task from a living holder, only from one that is gone (J3)', async () => {
    await one.heartbeat('process-1', LONG);
    const { taskId } = await createSampleTask(one);
    expect(await other.acquireLease(taskId, 'process-2')).toBeUndefined();
    expect(await other.listOrphans(5)).toEqual([]);

    await one.heartbeat('process-1', EXPIRED);
    expect(await other.listOrphans(5)).toMatchObject([{ taskId }]);
    expect(await other.acquireLease(taskId, 'process-2')).toBe(2);
    const late = one.append({ taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
    await expect(late).rejects.toMatchObject({ code: 'stale-fence' });
    await other.append({ taskId, fence: 2, firstSequence: 2, entries: sampleEntries(2, 1) });
    expect(await one.readTask(taskId)).toMatchObject({ lastSequence: 2, fence: 2 });
  });

  it('give the lease to one of 20 concurrent callers', async () => {
    const holders = Array.from({ length: 20 }, (_, index) => `process-${index + 10}`);
    await Promise.all(holders.map((holder) => one.heartbeat(holder, LONG)));
    const { taskId } = await createSampleTask(one, { holder: 'gone' });
    const fences = await Promise.all(
      holders.map((holder, index) => (index % 2 === 0 ? one : other).acquireLease(taskId, holder)),
    );
    expect(fences.filter((fence) => fence !== undefined)).toEqual([2]);
  });

  it('create one task per idempotency key, whatever the order (J8)', async () => {
    const random = seededRandom(11);
    const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
    const attempts = Array.from({ length: 240 }, () => ({
      store: random.pick([one, other]),
      task: sampleTask({ idempotency: { key: random.pick(['', ...keys]), payloadHash: 'hash' } }),
    }));
    const results = await Promise.all(
      attempts.map(async ({ store, task }) => ({ task, result: await store.createTask(task) })),
    );
    for (const key of keys) {
      const ofKey = results.filter(({ task }) => task.idempotency?.key === key);
      const winners = ofKey.filter(({ result }) => result.created);
      expect(winners).toHaveLength(1);
      const entry = { taskId: winners[0]?.task.taskId, payloadHash: 'hash' };
      expect(await other.findIdempotencyKey('tenant/alice', key)).toEqual(entry);
      for (const { result } of ofKey) if (!result.created) expect(result.existing).toEqual(entry);
    }
  }, 30_000);

  it('keep correct counts while both write', async () => {
    const waiting = createSampleTask(other);
    await Promise.all(Array.from({ length: 100 }, (_, index) => completeTask(index % 2 === 0 ? one : other)));
    await waiting;
    const owner = 'tenant/alice';
    expect(await one.listTasks({ owner, limit: 1 })).toMatchObject({ totalSize: 101 });
    expect(await one.listTasks({ owner, state: 'TASK_STATE_COMPLETED', limit: 1 })).toMatchObject({
      totalSize: 100,
    });
    expect(await one.listTasks({ owner, state: 'TASK_STATE_SUBMITTED', limit: 1 })).toMatchObject({
      totalSize: 1,
    });
  });
});
