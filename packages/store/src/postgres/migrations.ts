import type { Client } from 'pg';
import { StoreError } from '../store-error.ts';
import { integer, type Row } from '../sql/columns.ts';
import { FUNCTIONS } from './functions/index.ts';
import type { SchemaName } from './connection-settings.ts';
import { initial } from './migrations/001-initial.ts';
import { retention } from './migrations/002-retention.ts';
import { sets } from './migrations/003-sets.ts';
import { conditionalDelete } from './migrations/004-conditional-delete.ts';

/** Each migrates the schema from the version of its index to the next. Append-only. */
const MIGRATIONS: readonly string[] = [initial, retention, sets, conditionalDelete];

export const CURRENT_VERSION = MIGRATIONS.length;

/**
 * Migrates the schema to this version. Replicas that start together take turns: the first one migrates, the others find it
 * done. A schema that is up to date, or that this version must not write, is only read.
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
    // If the connection is lost there is nothing to roll back, and the first error is the relevant one.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Returns 0 if there is no schema yet. */
export async function readVersion(client: Client, { name, quoted }: SchemaName): Promise<number> {
  const found = await client.query<Row>(
    `SELECT count(*) AS relations, count(*) FILTER (WHERE relname = 'migrations') AS migrations
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1`,
    [name],
  );
  const [counts = {}] = found.rows;
  if (integer(counts, 'relations') === 0) return 0;
  if (integer(counts, 'migrations') === 0) {
    throw foreignSchema(name);
  }
  const { rows } = await client.query<Row>(
    `SELECT coalesce(max(version), 0) AS version FROM ${quoted}.migrations`,
  );
  const version = integer(rows[0] ?? {}, 'version');
  if (version > MIGRATIONS.length) throw newerSchema(name, version);
  return version;
}

async function runMigrations(client: Client, { name, quoted }: SchemaName, version: number): Promise<void> {
  // An operator may have created the schema for a user without that privilege.
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
    `The schema ${name} has version ${version}, written by a newer Holdword; this one supports version ` +
      `${MIGRATIONS.length} and older. Upgrade Holdword or use a different schema. The schema was not changed.`,
  );
}

function foreignSchema(name: string): StoreError {
  return new StoreError(
    'corrupt',
    `The schema ${name} contains tables of another program; use a different schema.`,
  );
}
