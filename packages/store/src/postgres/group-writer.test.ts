import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { createSampleTask } from '../testing/sample-task.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const postgres = usePostgres();

it('does not let what PostgreSQL refuses fail what was written with it', async () => {
  const { url, newSchema } = postgres();
  const store = await openPostgresStore({ url, schema: newSchema() });
  // An owner that does not fit into an index.
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

it('commits writes made together in few transactions', async () => {
  const { url, newSchema, query } = postgres();
  const schema = newSchema();
  const store = await openPostgresStore({ url, schema });
  await Promise.all(Array.from({ length: 400 }, () => createSampleTask(store)));
  const [counted] = await query(`SELECT count(DISTINCT xmin::text)::integer AS n FROM "${schema}".tasks`);
  expect(counted?.['n']).toBeLessThanOrEqual(4);
  await store.close();
});
