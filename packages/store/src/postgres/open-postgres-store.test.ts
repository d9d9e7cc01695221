import { describe, expect, it } from 'vitest';
import { ALL_STATE_CODES, ENDED_STATE_CODES } from '../sql/rows.ts';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { createSampleTask, sampleEntries } from '../testing/sample-task.ts';
import { MIGRATIONS } from './migrations.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const postgres = usePostgres();

describe('openPostgresStore', () => {
  it('creates its schema once when eight processes start at once', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    const opened = Array.from({ length: 8 }, () => openPostgresStore({ url, schema, poolSize: 1 }));
    const stores = await Promise.all(opened);
    expect(stores[0]?.kind).toBe('postgres');
    await Promise.all(stores.map((store) => createSampleTask(store)));
    for (const store of stores) {
      expect(await store.listTasks({ owner: 'tenant/alice', limit: 1 })).toMatchObject({ totalSize: 8 });
    }
    await Promise.all(stores.map((store) => store.close()));
    expect(await query(`SELECT version FROM "${schema}".migrations ORDER BY 1`)).toEqual([
      { version: 1 },
      { version: 2 },
      { version: 3 },
      { version: 4 },
      { version: 5 },
      { version: 6 },
    ]);
  });

  it('names the limit of connections', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    await query(
      `CREATE ROLE limited LOGIN PASSWORD 'limited' CONNECTION LIMIT 0; CREATE SCHEMA "${schema}" AUTHORIZATION limited`,
    );
    const limited = new URL(url);
    limited.username = 'limited';
    limited.password = 'limited';
    await expect(
      openPostgresStore({ url: limited.href, schema, timeoutMilliseconds: 3_000 }),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('accepts no more connections'),
    });
  });

  it('migrates a schema of an older version with its tasks', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    await query(`
      CREATE SCHEMA "${schema}";
      SET search_path = "${schema}";
      CREATE TABLE migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
      INSERT INTO migrations (version) VALUES (1);
      ${MIGRATIONS[0]}
      CREATE FUNCTION append(write write_request, INOUT result write_result) LANGUAGE plpgsql AS 'BEGIN END';
      INSERT INTO tasks (id, owner, context_id, state, status_time, status, created_at, last_sequence, status_sequence)
      VALUES ('old', 'tenant/alice', 'context-1', 1, 1, '{}', 1, 1, 1);
    `);
    const store = await openPostgresStore({ url, schema });
    await store.append({ taskId: 'old', fence: 1, firstSequence: 2, entries: sampleEntries(2, 1) });
    expect(await store.readTask('old')).toMatchObject({ lastSequence: 2 });
    await createSampleTask(store);
    await store.close();
  });

  it('agrees with its functions on which tasks have ended', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    const store = await openPostgresStore({ url, schema });
    await store.close();
    const rows = await query(
      `SELECT code FROM unnest($1::smallint[]) AS code WHERE "${schema}".has_ended(code) ORDER BY code`,
      [ALL_STATE_CODES],
    );
    expect(rows.map(({ code }) => code)).toEqual(ENDED_STATE_CODES);
  });

  it('keeps schemas apart, whatever their names', async () => {
    const { url } = postgres();
    const names = ['Plain', 'with "quotes"; DROP SCHEMA public --', "o'clock"];
    const stores = await Promise.all(names.map((schema) => openPostgresStore({ url, schema })));
    const heard: string[] = [];
    stores[1]?.onCommit((commits) => heard.push(...commits.map(({ taskId }) => taskId)));
    for (const [index, store] of stores.entries()) {
      await store.putRecord('names', 'own', names[index] ?? '');
      await createSampleTask(store, { taskId: `of-${index}` });
    }
    for (const [index, store] of stores.entries()) {
      expect(await store.getRecord('names', 'own')).toBe(names[index]);
      expect((await store.listTasks({ owner: 'tenant/alice', limit: 9 })).tasks).toMatchObject([
        { taskId: `of-${index}` },
      ]);
    }
    expect(new Set(heard)).toEqual(new Set(['of-1']));
    await Promise.all(stores.map((store) => store.close()));
  });

  it.each(['', 'x'.repeat(49), 'pg_mine', 'nul\0'])('rejects the schema name %j', async (schema) => {
    await expect(openPostgresStore({ url: postgres().url, schema })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('schema name'),
    });
  });

  it('rejects data of a newer version and leaves it unchanged', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    const store = await openPostgresStore({ url, schema });
    await store.close();
    await query(`INSERT INTO "${schema}".migrations (version) VALUES (999)`);
    const contents = `
      SELECT relname, xmin::text FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
      UNION ALL SELECT version::text, xmin::text FROM "${schema}".migrations
      UNION ALL SELECT id::text, xmin::text FROM "${schema}".writers ORDER BY 1`;
    const before = await query(contents, [schema]);

    await expect(openPostgresStore({ url, schema })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'newer-version',
      message: expect.stringMatching(/version 999,.* version 6 /),
    });
    expect(await query(contents, [schema])).toEqual(before);
  });

  it('needs no privilege to create schemas if the schema exists', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    await query(`CREATE ROLE guest LOGIN PASSWORD 'guest'; CREATE SCHEMA "${schema}" AUTHORIZATION guest`);
    const guest = new URL(url);
    guest.username = 'guest';
    guest.password = 'guest';
    const store = await openPostgresStore({ url: guest.href, schema });
    await createSampleTask(store);
    await store.close();
    await expect(openPostgresStore({ url: guest.href, schema: newSchema() })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('grant'),
    });
  });

  it('rejects the schema of another program', async () => {
    const { url, newSchema, query } = postgres();
    const schema = newSchema();
    await query(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".theirs (id integer)`);
    await expect(openPostgresStore({ url, schema })).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('says what to correct when the server cannot be used', async () => {
    const wrongPassword = new URL(postgres().url);
    wrongPassword.password = 'mistaken-secret';
    const noDatabase = new URL(postgres().url);
    noDatabase.pathname = '/nowhere';
    const nobody = new URL(postgres().url);
    nobody.port = '1';
    const cases = [
      [wrongPassword.href, 'password'],
      [noDatabase.href, 'database in the URL does not exist'],
      [nobody.href, 'does not respond'],
      ['mysql://localhost/holdword', 'postgres://'],
      ['not a url', 'postgres://'],
    ] as const;
    for (const [url, advice] of cases) {
      const opening = openPostgresStore({ url, timeoutMilliseconds: 300 });
      await expect(opening).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(advice),
      });
      await expect(opening).rejects.toMatchObject({ message: expect.not.stringContaining('mistaken') });
    }
  });
});
