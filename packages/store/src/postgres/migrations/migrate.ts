import type { Client } from 'pg';
import { corrupt } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { integer, type Row } from '../columns.ts';
import { FUNCTIONS } from '../functions/index.ts';
import type { SchemaName } from '../schema-name.ts';
import { initial } from './001-initial.ts';
import { retention } from './002-retention.ts';
import { sets } from './003-sets.ts';
import { conditionalDelete } from './004-conditional-delete.ts';

/** Each brings the schema from the version of its index to the next. Only ever added to. */
const MIGRATIONS: readonly string[] = [initial, retention, sets, conditionalDelete];

export const CURRENT_VERSION = MIGRATIONS.length;

/**
 * Brings the schema to this version. Replicas that start at once take turns: the first does the work, the others find it
 * done. A schema that is up to date, or that this version must not write, is only looked at.
 */
export async function migrate(client: Client, schema: SchemaName): Promise<void> {
  if ((await readVersion(client, schema)) === MIGRATIONS.length) return;
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`holdword ${schema.name}`]);
    const version = await readVersion(client, schema);
    if (version < MIGRATIONS.length) await runMigrations(client, schema, version);
    await client.query('COMMIT');
  } catch (error) {
    // Where the connection is lost there is nothing to roll back, and the first error is the one that tells.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** 0 when there is no schema yet. */
export async function readVersion(client: Client, { name, quoted }: SchemaName): Promise<number> {
  const found = await client.query<Row>(
    `SELECT count(*) AS relations, count(*) FILTER (WHERE relname = 'migrations') AS migrations
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1`,
    [name],
  );
  const [counts = {}] = found.rows;
  if (integer(counts, 'relations') === 0) return 0;
  if (integer(counts, 'migrations') === 0) {
    throw corrupt(`the schema ${name}`, 'it belongs to another program');
  }
  const { rows } = await client.query<Row>(
    `SELECT coalesce(max(version), 0) AS version FROM ${quoted}.migrations`,
  );
  const version = integer(rows[0] ?? {}, 'version');
  if (version > MIGRATIONS.length) throw newerSchema(name, version);
  return version;
}

async function runMigrations(client: Client, { name, quoted }: SchemaName, version: number): Promise<void> {
  // An operator may have made the schema for a user who may not make any.
  const existing = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [name]);
  if (existing.rowCount === 0) await client.query(`CREATE SCHEMA ${quoted}`);
  await client.query(`
    SET LOCAL search_path = ${quoted};
    CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
  `);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await client.query(migration);
    await client.query('INSERT INTO migrations (version) VALUES ($1)', [index + 1]);
  }
  await client.query(FUNCTIONS);
}

function newerSchema(name: string, version: number): StoreError {
  return new StoreError(
    'newer-version',
    `Expected the schema ${name} in version ${MIGRATIONS.length} or older, found version ${version}, written by a newer ` +
      'Holdword; install that Holdword again or use another schema. The schema was left as it is.',
  );
}
