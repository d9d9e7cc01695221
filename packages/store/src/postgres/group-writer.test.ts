import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { createSampleTask, readAllEvents, sampleEntries, sampleTask } from '../testing/sample-task.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const postgres = usePostgres();

it('rejects only the write that PostgreSQL does not accept', async () => {
  const { url, newSchema } = postgres();
  const store = await openPostgresStore({ url, schema: newSchema() });
  // An owner that is too long for an index.
  const tooLong = randomBytes(10_000).toString('hex');
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      createSampleTask(store, { owner: index % 13 === 5 ? tooLong : 'tenant/alice' }),
    ),
  );
  for (const [index, result] of results.entries()) {
    if (index % 13 === 5) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'invalid-entry' } });
    } else {
      expect(result).toMatchObject({ status: 'fulfilled' });
    }
  }
  expect(await store.listTasks({ owner: 'tenant/alice', limit: 50 })).toMatchObject({ totalSize: 37 });
  await store.close();
});

it('commits concurrent writes in few transactions', async () => {
  const { url, newSchema, query } = postgres();
  const schema = newSchema();
  const store = await openPostgresStore({ url, schema });
  await Promise.all(Array.from({ length: 400 }, () => createSampleTask(store)));
  const [counted] = await query(`SELECT count(DISTINCT xmin::text)::integer AS n FROM "${schema}".tasks`);
  expect(counted?.['n']).toBeLessThanOrEqual(4);
  await store.close();
});

it('reports made, rejected and repeated writes of one group separately (J2, J3, J8)', async () => {
  const { url, newSchema } = postgres();
  const store = await openPostgresStore({ url, schema: newSchema() });
  const [first, second, third] = [
    await createSampleTask(store),
    await createSampleTask(store),
    await createSampleTask(store, { idempotency: { key: 'taken', payloadHash: 'hash' } }),
  ];
  const made = { taskId: first.taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 2) };
  await store.append(made);
  const fresh = sampleTask();
  const results = await Promise.allSettled([
    store.append(made),
    store.append({ taskId: second.taskId, fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) }),
    store.append({ taskId: third.taskId, fence: 7, firstSequence: 2, entries: sampleEntries(2, 1) }),
    store.append({ taskId: 'nobody', fence: 1, firstSequence: 1, entries: sampleEntries(1, 1) }),
    store.createTask(fresh),
    store.createTask(sampleTask({ idempotency: { key: 'taken', payloadHash: 'other' } })),
    store.createTask(sampleTask({ idempotency: { key: 'free', payloadHash: 'hash' } })),
    store.acquireLease('nobody', 'process-2'),
    store.putRecord('names', 'one', 'value'),
  ]);
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'stale-fence' } },
    { status: 'rejected', reason: { code: 'unknown-task' } },
    { status: 'fulfilled', value: { created: true } },
    {
      status: 'fulfilled',
      value: { created: false, existing: { taskId: third.taskId, payloadHash: 'hash' } },
    },
    { status: 'fulfilled', value: { created: true } },
    { status: 'rejected', reason: { code: 'unknown-task' } },
    { status: 'fulfilled' },
  ]);
  expect(await readAllEvents(store, first.taskId)).toHaveLength(3);
  expect(await readAllEvents(store, fresh.taskId)).toHaveLength(1);
  expect(await store.listTasks({ owner: 'tenant/alice', limit: 1 })).toMatchObject({ totalSize: 5 });

  const again = sampleTask({ taskId: first.taskId, idempotency: { key: 'unused', payloadHash: 'hash' } });
  await expect(store.createTask(again)).rejects.toMatchObject({ code: 'sequence-conflict' });
  expect(await store.findIdempotencyKey('tenant/alice', 'unused')).toBeUndefined();
  await store.close();
});
