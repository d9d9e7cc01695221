/**
 * `tasks.key` is the order of creation. `tasks.status_sequence` and `journal.status_sequence` are the newest event at or
 * before the end of the journal and of the row that changes the status, 0 if there is none. Contexts are indexed by a
 * hash because clients choose them, and index entries are limited in length.
 *
 * `counts` has several rows per owner and state, which add up, so that concurrent replicas do not wait for each other.
 * `writers` stores the last group of each writer connection, so that a group is applied once even if it is sent again.
 */
export const initial = `
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
