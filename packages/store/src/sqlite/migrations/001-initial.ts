/**
 * `journal.position` is the task's key in the upper 32 bits and the row's last sequence number in the lower 32: the rows of
 * a task are stored together, and one seek finds the end of a task. `status_sequence` is the newest event at or before the
 * end of the row that changes the status, 0 if there is none.
 */
export const initial = `
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
