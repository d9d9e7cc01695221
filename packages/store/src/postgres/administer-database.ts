import { Client } from 'pg';
import type { Administration } from '../administration.ts';
import { integer, text, type Row } from '../sql/rows.ts';
import { checkData, readStatistics, type Dialect, type Select } from '../sql/inspect-data.ts';
import { toConnectionSettings, toSchemaName } from './connection-settings.ts';
import { CURRENT_VERSION, migrate, readVersion } from './migrations.ts';
import { storeErrorFromPostgres } from './postgres-error.ts';

/** A check reads everything, which takes longer than any call from a server. */
const TIMEOUT_MILLISECONDS = 3_600_000;

const DIALECT: Dialect = {
  journal: 'SELECT task, first_sequence, last_sequence, lines FROM journal',
  newline: 'chr(10)',
  now: 'now_milliseconds()',
};

/** Uses one connection. Documented for users in `open-stores.ts`. */
export async function administerPostgres(options: { url: string; schema: string }): Promise<Administration> {
  const schema = toSchemaName(options.schema);
  const settings = toConnectionSettings(options.url, schema, TIMEOUT_MILLISECONDS);
  const client = new Client(settings.client);
  // An error that ends the connection also fails the running statement, which is handled.
  client.on('error', () => {});
  const select: Select = async (sql) => (await client.query<Row>(sql)).rows;

  /** Each use sees a consistent snapshot. */
  async function reading<Result>(use: () => Promise<Result>): Promise<Result> {
    return withStoreErrors(async () => {
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path = ${schema.quoted}`,
      );
      try {
        return await use();
      } finally {
        await client.query('ROLLBACK');
      }
    });
  }

  await withStoreErrors(() => client.connect());
  return {
    version: () =>
      withStoreErrors(async () => ({ found: await readVersion(client, schema), current: CURRENT_VERSION })),
    migrate: () =>
      withStoreErrors(async () => {
        const from = await readVersion(client, schema);
        await migrate(client, schema);
        return { from, to: CURRENT_VERSION };
      }),
    status: () =>
      reading(async () => ({ ...(await readStatistics(select, DIALECT)), sizes: await readSizes(select) })),
    check: () =>
      reading(async () => {
        const { damage, notices } = await checkData(select, DIALECT);
        const ends = await select(WRONG_ENDS);
        const subjects = ends.map((row) => text(row, 'subject'));
        const what = 'the last sequence number of a task is wrong';
        return { damage: subjects.length === 0 ? damage : [...damage, { what, subjects }], notices };
      }),
    close: () => client.end(),
  };
}

/** In PostgreSQL a task stores its last sequence number, which must match its journal. */
const WRONG_ENDS = `
  SELECT id AS subject FROM tasks
  JOIN (SELECT task, max(last_sequence) AS present FROM journal GROUP BY task) AS ends ON task = key
  WHERE last_sequence <> present LIMIT 100`;

async function readSizes(select: Select): Promise<{ name: string; bytes: number }[]> {
  const rows = await select(`
    SELECT relname AS name, pg_total_relation_size(pg_class.oid) AS bytes
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind = 'r' AND pg_total_relation_size(pg_class.oid) > 0
    ORDER BY bytes DESC, name`);
  return rows.map((row) => ({ name: text(row, 'name'), bytes: integer(row, 'bytes') }));
}

async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storeErrorFromPostgres(error);
  }
}
