import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { unavailable } from '../rejections.ts';
import { integer, type Row } from '../sql/rows.ts';
import { StoreError } from '../store-error.ts';
import type { SchemaName } from './connection-settings.ts';

/**
 * `tasks.key` is the order of creation. `tasks.status_sequence` and `journal.status_sequence` are the newest event at or
 * before the end of the journal and of the row that changes the status, 0 if there is none. Contexts are indexed by a
 * hash because clients choose them, and index entries are limited in length.
 *
 * `counts` has several rows per owner and state, which add up, so that concurrent replicas do not wait for each other.
 * `writers` stores the last group of each writer connection, so that a group is applied once even if it is sent again.
 */
const INITIAL = `
  CREATE TABLE tasks (
    key bigint GENERATED ALWAYS AS IDENTITY,
    id text COLLATE "C" PRIMARY KEY,
    owner text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    state smallint NOT NULL,
    status_time bigint NOT NULL,
    status text NOT NULL,
    created_at bigint NOT NULL,
    holder text COLLATE "C",
    fence integer NOT NULL DEFAULT 1,
    first_sequence integer NOT NULL DEFAULT 1,
    last_sequence integer NOT NULL,
    status_sequence integer NOT NULL
  ) WITH (fillfactor = 80);
  CREATE INDEX tasks_by_state ON tasks (owner, state, status_time, key);
  CREATE INDEX tasks_by_context ON tasks (owner, hashtextextended(context_id, 0), status_time, key);
  CREATE INDEX tasks_running ON tasks (key) WHERE state IN (1, 2);

  CREATE TABLE journal (
    task bigint NOT NULL,
    last_sequence integer NOT NULL,
    first_sequence integer NOT NULL,
    status_sequence integer NOT NULL,
    lines text NOT NULL,
    PRIMARY KEY (task, last_sequence)
  );

  CREATE TABLE snapshots (
    task bigint PRIMARY KEY,
    sequence integer NOT NULL,
    json text NOT NULL
  );

  CREATE TABLE idempotency (
    owner text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    task_id text COLLATE "C" NOT NULL,
    payload_hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, key)
  );

  CREATE TABLE counts (
    owner text COLLATE "C" NOT NULL,
    state smallint NOT NULL,
    shard smallint NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (owner, state, shard)
  ) WITH (fillfactor = 50);

  CREATE TABLE holders (
    id text COLLATE "C" PRIMARY KEY,
    expires_at bigint NOT NULL
  ) WITH (fillfactor = 50);

  CREATE TABLE records (
    namespace text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (namespace, key)
  );

  CREATE TABLE writers (
    id uuid PRIMARY KEY,
    last_group bigint NOT NULL DEFAULT 0,
    last_journal_group bigint NOT NULL DEFAULT 0,
    outcomes jsonb NOT NULL DEFAULT '{}',
    seen_at bigint NOT NULL
  ) WITH (fillfactor = 50);

  CREATE TYPE write_request AS (
    kind text,
    task_id text,
    owner text,
    context_id text,
    state smallint,
    status_time bigint,
    status text,
    holder text,
    fence integer,
    first_sequence integer,
    last_sequence integer,
    status_sequence integer,
    releases boolean,
    forces boolean,
    key text,
    payload_hash text,
    rows jsonb,
    namespace text,
    value text,
    expected text,
    ttl bigint
  );

  CREATE TYPE write_result AS (
    outcome jsonb,
    task_key bigint,
    owner text,
    left_state smallint,
    status_before integer,
    write write_request
  );
`;

/** Indexes for retention: ended tasks by time, trimmed or not, and the idempotency keys of a task. */
const RETENTION = `
  ALTER TABLE tasks ADD COLUMN trimmed boolean NOT NULL DEFAULT false;
  CREATE INDEX tasks_ended ON tasks (trimmed, status_time, key) WHERE state IN (3, 4, 5, 7);
  CREATE INDEX idempotency_by_task ON idempotency (task_id);
`;

/**
 * Groups are written table by table instead of task by task. The functions that used the old result type are dropped with
 * it; the functions of this version are created after the migrations.
 */
const SETS = `
  DROP TYPE write_result CASCADE;
  CREATE TYPE task_change AS (
    id text,
    owner text,
    left_state smallint,
    state smallint
  );
`;

/** Changes no table. The functions, created after the migrations, delete a record only if it has the expected value. */
const CONDITIONAL_DELETE = '';

/**
 * The size of what each owner has stored. The rows of an owner add up to it; a single row says nothing, because a task takes
 * its bytes along to no other state. The functions that did not count it are dropped where their parameters change.
 */
const BYTES = `
  ALTER TABLE counts ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
  INSERT INTO counts AS present (owner, state, shard, n, bytes)
  SELECT owner, state, 0, 0, sum(size) FROM (
    SELECT owner, state, octet_length(lines) FROM journal JOIN tasks ON key = task
    UNION ALL
    SELECT owner, state, octet_length(json) FROM snapshots JOIN tasks ON key = task
  ) AS stored (owner, state, size) GROUP BY owner, state
  ON CONFLICT (owner, state, shard) DO UPDATE SET bytes = present.bytes + excluded.bytes;
  ALTER TYPE task_change ADD ATTRIBUTE bytes bigint;
  DROP FUNCTION IF EXISTS write_snapshot(write_request);
  DROP FUNCTION IF EXISTS trim_journal(write_request);
`;

/** For lists over all owners. Tasks that run or are completed, which most are, are found without it. */
const UNUSUAL = `
  CREATE INDEX IF NOT EXISTS tasks_unusual ON tasks (state, id) WHERE state IN (4, 5, 6, 7, 8);
`;

/** Each migrates the schema from the version of its index to the next. Append-only. */
export const MIGRATIONS: readonly string[] = [INITIAL, RETENTION, SETS, CONDITIONAL_DELETE, BYTES, UNUSUAL];

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
  await client.query(await readFunctions());
}

/** All writes as functions in the database. The build copies the file next to the compiled code. */
async function readFunctions(): Promise<string> {
  try {
    return await readFile(new URL('functions.sql', import.meta.url), 'utf8');
  } catch (error) {
    throw unavailable(
      'functions.sql is missing next to the code of the store; install Holdword again',
      error,
    );
  }
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
