import type { DatabaseSync } from 'node:sqlite';
import { corrupt, newerVersion } from '../rejections.ts';
import { integer } from '../sql/rows.ts';

/**
 * `journal.position` is the task's key in the upper 32 bits and the row's last sequence number in the lower 32: the rows of
 * a task are stored together, and one seek finds the end of a task. `status_sequence` is the newest event at or before the
 * end of the row that changes the status, 0 if there is none.
 */
const INITIAL = `
  CREATE TABLE tasks (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    context_id TEXT NOT NULL,
    state INTEGER NOT NULL,
    status_time INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    holder TEXT,
    fence INTEGER NOT NULL
  );
  CREATE INDEX tasks_by_owner ON tasks (owner, status_time);
  CREATE INDEX tasks_by_context ON tasks (owner, context_id, status_time);
  CREATE INDEX tasks_by_state ON tasks (owner, state, status_time);
  CREATE INDEX tasks_running ON tasks (holder) WHERE state IN (1, 2);

  CREATE TABLE journal (
    position INTEGER PRIMARY KEY,
    first_sequence INTEGER NOT NULL,
    status_sequence INTEGER NOT NULL,
    lines TEXT NOT NULL
  );

  CREATE TABLE snapshots (
    task INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    json TEXT NOT NULL
  );

  CREATE TABLE idempotency (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    task_id TEXT NOT NULL,
    payload_hash TEXT NOT NULL,
    PRIMARY KEY (owner, key)
  ) WITHOUT ROWID;

  CREATE TABLE counts (
    owner TEXT NOT NULL,
    state INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (owner, state)
  ) WITHOUT ROWID;

  CREATE TABLE holders (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE records (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;
`;

/** Indexes for retention: ended tasks by time, trimmed or not, and the idempotency keys of a task. */
const RETENTION = `
  ALTER TABLE tasks ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX tasks_ended ON tasks (trimmed, status_time) WHERE state IN (3, 4, 5, 7);
  CREATE INDEX idempotency_by_task ON idempotency (task_id);
`;

/**
 * The size of what each owner has stored. The rows of an owner add up to it; a single row says nothing, because a task takes
 * its bytes along to no other state.
 */
const BYTES = `
  ALTER TABLE counts ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  INSERT INTO counts (owner, state, n, bytes)
  SELECT owner, state, 0, sum(octet_length(lines)) FROM journal JOIN tasks ON key = position >> 32 GROUP BY owner, state
  UNION ALL
  SELECT owner, state, 0, sum(octet_length(json)) FROM snapshots JOIN tasks ON key = task GROUP BY owner, state
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
`;

/** For lists over all owners. Tasks that run or are completed, which most are, are found without it. */
const UNUSUAL = `
  CREATE INDEX IF NOT EXISTS tasks_unusual ON tasks (state, id) WHERE state IN (4, 5, 6, 7, 8);
`;

/** Each migrates the database from the version of its index to the next. Append-only. */
const MIGRATIONS: readonly string[] = [INITIAL, RETENTION, BYTES, UNUSUAL];

export const CURRENT_VERSION = MIGRATIONS.length;

/** Returns the version of a file; rejects one that this version must not write. */
export function checkVersion(database: DatabaseSync): number {
  const version = integer(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version');
  if (version > MIGRATIONS.length) throw newerVersion('holdword.db', version, MIGRATIONS.length);
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) {
    throw corrupt('holdword.db', 'it belongs to another program');
  }
  return version;
}

/** Runs inside the caller's transaction. */
export function migrate(database: DatabaseSync): void {
  const version = checkVersion(database);
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
}
