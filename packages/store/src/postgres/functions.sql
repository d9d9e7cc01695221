-- The writes as functions in the database: one call applies a group of writes in one transaction. Created in the schema of the
-- store after the migrations; a change here needs a new migration, because functions are created only with one.

-- The clock of the database, the only one that leases use, whatever the clocks of the replicas say.
CREATE OR REPLACE FUNCTION now_milliseconds() RETURNS bigint LANGUAGE sql AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Whether a state is terminal. The same codes as in `task-rows.ts`.
CREATE OR REPLACE FUNCTION has_ended(state smallint) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT state IN (3, 4, 5, 7)
$$;

-- Whether a journal contains exactly these rows: then a write that repeats them, because the response to its first attempt was
-- lost, is already done.
CREATE OR REPLACE FUNCTION is_written(task_key bigint, rows jsonb) RETURNS boolean LANGUAGE sql AS $$
  SELECT NOT EXISTS (
    SELECT FROM jsonb_to_recordset(rows) AS given (first integer, last integer, lines text)
    LEFT JOIN journal ON journal.task = task_key
      AND journal.last_sequence = given.last AND journal.first_sequence = given.first
    WHERE journal.lines IS DISTINCT FROM given.lines
  )
$$;

-- The size of the rows of a write, as the journal stores them.
CREATE OR REPLACE FUNCTION bytes_of(rows jsonb) RETURNS bigint LANGUAGE sql AS $$
  SELECT coalesce(sum(octet_length(lines)), 0) FROM jsonb_to_recordset(rows) AS given (lines text)
$$;

-- Creates all tasks of a group at once, with their journals, and adds them to the changes. It skips tasks that conflict with
-- an existing key or task; `explain_create` says why. The insert of a key waits for another replica that inserts the same
-- key, so that one of them wins (J8); the fixed order prevents deadlocks.
CREATE OR REPLACE FUNCTION create_tasks(writes write_request[], INOUT changes task_change[]) LANGUAGE plpgsql AS $$
DECLARE
  created task_change[];
BEGIN
  WITH given AS MATERIALIZED (
    SELECT nextval('tasks_key_seq') AS task_key, write.* FROM unnest(writes) AS write WHERE write.kind = 'create-task'
  ), took_key AS (
    INSERT INTO idempotency (owner, key, task_id, payload_hash)
    SELECT owner, key, task_id, payload_hash FROM given WHERE key IS NOT NULL ORDER BY owner, key
    ON CONFLICT DO NOTHING RETURNING task_id
  ), created_task AS (
    INSERT INTO tasks (
      key, id, owner, context_id, state, status_time, status, created_at, holder, last_sequence, status_sequence
    ) OVERRIDING SYSTEM VALUE
    SELECT
      task_key, task_id, owner, context_id, state, status_time, status, status_time, holder, last_sequence,
      status_sequence
    FROM given WHERE key IS NULL OR task_id IN (SELECT task_id FROM took_key)
    ON CONFLICT (id) DO NOTHING RETURNING key, id, owner, state
  ), journaled AS (
    INSERT INTO journal (task, last_sequence, first_sequence, status_sequence, lines)
    SELECT given.task_key, given_row.last, given_row.first, given_row.status, given_row.lines
    FROM given CROSS JOIN LATERAL jsonb_to_recordset(given.rows)
      AS given_row (first integer, last integer, status integer, lines text)
    WHERE given.task_key = ANY (ARRAY(SELECT key FROM created_task))
  )
  SELECT array_agg(ROW(created_task.id, created_task.owner, NULL, created_task.state, bytes_of(given.rows))::task_change)
  INTO created FROM created_task JOIN given ON given.task_key = created_task.key;
  changes := changes || created;
END $$;

-- Why a task was skipped: nothing if an earlier attempt created it and the response was lost, the entry that has its
-- idempotency key, or a rejection. A key that was inserted in vain is deleted.
CREATE OR REPLACE FUNCTION explain_create(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  taken idempotency;
BEGIN
  IF write.key IS NOT NULL THEN
    SELECT * INTO taken FROM idempotency WHERE owner = write.owner AND key = write.key;
    IF NOT FOUND THEN
      RAISE serialization_failure USING MESSAGE = 'The key is free by now; apply the group again.';
    END IF;
    IF (taken.task_id, taken.payload_hash) <> (write.task_id, write.payload_hash) THEN
      RETURN jsonb_build_object('taskId', taken.task_id, 'payloadHash', taken.payload_hash);
    END IF;
  END IF;

  UPDATE tasks SET holder = write.holder
  WHERE id = write.task_id AND owner = write.owner AND fence = 1 AND last_sequence = write.last_sequence
    AND is_written(key, write.rows);
  IF FOUND THEN RETURN NULL; END IF;
  DELETE FROM idempotency
  WHERE owner = write.owner AND key = write.key AND xmin = pg_current_xact_id()::xid;
  RETURN '{"refused": "task-exists"}';
END $$;

-- Makes all appends of a group at once and adds them to the changes. It skips appends that do not match their tasks;
-- `explain_append` says why. The row of a task is locked before it is checked: nobody can acquire the lease between the check
-- and the commit (J3).
CREATE OR REPLACE FUNCTION append_events(writes write_request[], INOUT changes task_change[]) LANGUAGE plpgsql AS $$
DECLARE
  appended task_change[];
BEGIN
  WITH given AS MATERIALIZED (
    SELECT
      tasks.key AS task_key, tasks.owner AS task_owner, tasks.state AS task_state,
      tasks.status_sequence AS status_before, write.*
    FROM unnest(writes) AS write JOIN tasks ON tasks.id = write.task_id
    WHERE write.kind = 'append' AND tasks.fence = write.fence AND tasks.last_sequence + 1 = write.first_sequence
    ORDER BY write.task_id FOR NO KEY UPDATE OF tasks
  ), changed AS (
    UPDATE tasks SET
      last_sequence = given.last_sequence,
      status_sequence = greatest(given.status_before, given.status_sequence),
      state = coalesce(given.state, tasks.state),
      status_time = coalesce(given.status_time, tasks.status_time),
      status = coalesce(given.status, tasks.status),
      holder = CASE WHEN given.releases THEN NULL ELSE tasks.holder END
    FROM given WHERE tasks.id = given.task_id
  ), took_key AS (
    INSERT INTO idempotency (owner, key, task_id, payload_hash)
    SELECT owner, key, task_id, payload_hash FROM given WHERE key IS NOT NULL ORDER BY owner, key
    ON CONFLICT DO NOTHING
  ), journaled AS (
    INSERT INTO journal (task, last_sequence, first_sequence, status_sequence, lines)
    SELECT
      given.task_key, given_row.last, given_row.first, greatest(given.status_before, given_row.status), given_row.lines
    FROM given CROSS JOIN LATERAL jsonb_to_recordset(given.rows)
      AS given_row (first integer, last integer, status integer, lines text)
  )
  SELECT array_agg(
    ROW(task_id, task_owner, CASE WHEN state IS NOT NULL THEN task_state END, state, bytes_of(rows))::task_change
  ) INTO appended FROM given;
  changes := changes || appended;
END $$;

-- Why an append was skipped: a rejection, or nothing if an earlier attempt made it and the response was lost.
CREATE OR REPLACE FUNCTION explain_append(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  task record;
BEGIN
  SELECT key, fence, last_sequence INTO task FROM tasks WHERE id = write.task_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '{"refused": "unknown-task"}'; END IF;
  IF task.fence <> write.fence THEN
    RETURN jsonb_build_object('refused', 'stale-fence', 'expected', task.fence);
  END IF;
  IF task.last_sequence + 1 = write.first_sequence THEN
    RAISE serialization_failure USING MESSAGE = 'The append fits by now; apply the group again.';
  END IF;
  IF is_written(task.key, write.rows) THEN RETURN NULL; END IF;
  RETURN jsonb_build_object('refused', 'sequence-conflict', 'expected', task.last_sequence + 1);
END $$;

-- Returns the new fence, or nothing if another living process holds the task. The holder is looked up in a separate statement
-- after the row is locked, because it may have sent a heartbeat while this call waited for the lock.
CREATE OR REPLACE FUNCTION acquire_lease(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  task tasks;
BEGIN
  SELECT * INTO task FROM tasks WHERE id = write.task_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '{"refused": "unknown-task"}'; END IF;
  IF NOT write.forces AND task.holder <> write.holder
    AND EXISTS (SELECT FROM holders WHERE id = task.holder AND expires_at > now_milliseconds()) THEN
    RETURN NULL;
  END IF;
  UPDATE tasks SET holder = write.holder, fence = task.fence + 1 WHERE id = write.task_id;
  RETURN to_jsonb(task.fence + 1);
END $$;

CREATE OR REPLACE FUNCTION release_lease(write write_request) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tasks SET holder = NULL WHERE id = write.task_id AND fence = write.fence;
END $$;

-- Every process has a unique name, so holders that expired long ago are deleted: nobody uses their names again.
CREATE OR REPLACE FUNCTION heartbeat(write write_request) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO holders (id, expires_at) VALUES (write.holder, now_milliseconds() + write.ttl)
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at;
  DELETE FROM holders WHERE expires_at < now_milliseconds() - 86400000;
END $$;

-- The row of the task is locked, so that the size of the snapshot that is replaced is known.
CREATE OR REPLACE FUNCTION write_snapshot(write write_request, INOUT changes task_change[], OUT outcome jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  task record;
  bytes_before bigint;
BEGIN
  SELECT key, owner INTO task FROM tasks WHERE id = write.task_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    outcome := '{"refused": "unknown-task"}';
    RETURN;
  END IF;
  SELECT octet_length(json) INTO bytes_before FROM snapshots WHERE snapshots.task = task.key;
  INSERT INTO snapshots AS present (task, sequence, json) VALUES (task.key, write.last_sequence, write.value)
  ON CONFLICT ON CONSTRAINT snapshots_pkey DO UPDATE SET sequence = excluded.sequence, json = excluded.json
  WHERE excluded.sequence >= present.sequence;
  IF FOUND THEN
    changes := changes || ROW(
      write.task_id, task.owner, NULL, NULL, octet_length(write.value) - coalesce(bytes_before, 0)
    )::task_change;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION put_record(write write_request) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO records (namespace, key, value) VALUES (write.namespace, write.key, write.value)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value;
END $$;

-- Returns whether the record had the expected value and was replaced.
CREATE OR REPLACE FUNCTION replace_record(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF write.expected IS NULL THEN
    INSERT INTO records (namespace, key, value) VALUES (write.namespace, write.key, write.value)
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE records SET value = write.value
    WHERE namespace = write.namespace AND key = write.key AND value = write.expected;
  END IF;
  RETURN CASE WHEN FOUND THEN 'true' END::jsonb;
END $$;

-- Returns whether there was such a record, with the expected value if one is given.
CREATE OR REPLACE FUNCTION delete_record(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM records
  WHERE namespace = write.namespace AND key = write.key
    AND (write.expected IS NULL OR value = write.expected);
  RETURN CASE WHEN FOUND THEN 'true' END::jsonb;
END $$;

-- Returns whether there was such a task and it had ended.
CREATE OR REPLACE FUNCTION delete_task(write write_request, INOUT changes task_change[], OUT outcome jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  deleted record;
  freed bigint;
BEGIN
  DELETE FROM tasks WHERE id = write.task_id AND has_ended(state)
  RETURNING key, owner, state INTO deleted;
  IF NOT FOUND THEN RETURN; END IF;
  WITH events AS (
    DELETE FROM journal WHERE task = deleted.key RETURNING octet_length(lines) AS size
  ), snapshot AS (
    DELETE FROM snapshots WHERE task = deleted.key RETURNING octet_length(json) AS size
  )
  SELECT sum(size) INTO freed FROM (SELECT size FROM events UNION ALL SELECT size FROM snapshot) AS removed;
  DELETE FROM idempotency WHERE task_id = write.task_id;
  changes := changes || ROW(write.task_id, deleted.owner, deleted.state, NULL, -coalesce(freed, 0))::task_change;
  outcome := 'true';
END $$;

-- Returns whether the journal was trimmed: the task must have ended and its snapshot must be complete.
CREATE OR REPLACE FUNCTION trim_journal(write write_request, INOUT changes task_change[], OUT outcome jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  task record;
  bytes_before bigint;
  bytes_after bigint;
BEGIN
  SELECT key, owner, last_sequence INTO task
  FROM tasks JOIN snapshots ON snapshots.task = tasks.key AND snapshots.sequence = tasks.last_sequence
  WHERE id = write.task_id AND has_ended(state) FOR NO KEY UPDATE OF tasks;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT sum(octet_length(lines)) INTO bytes_before FROM journal WHERE journal.task = task.key;
  DELETE FROM journal WHERE journal.task = task.key AND journal.last_sequence < task.last_sequence;
  UPDATE journal SET first_sequence = journal.last_sequence, lines = split_part(lines, chr(10), -1)
  WHERE journal.task = task.key RETURNING octet_length(lines) INTO bytes_after;
  UPDATE tasks SET first_sequence = tasks.last_sequence, trimmed = true WHERE id = write.task_id;
  changes := changes || ROW(write.task_id, task.owner, NULL, NULL, bytes_after - bytes_before)::task_change;
  outcome := 'true';
END $$;

-- Adds the changes of a group to the task counts per owner and state, and to the bytes of the owner, which may be in any of its
-- rows. It runs last in a group and in a fixed order, so that
-- replicas that count the same owner wait only briefly and cannot deadlock.
CREATE OR REPLACE FUNCTION add_counts(writer uuid, changes task_change[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counts AS present (owner, state, shard, n, bytes)
  SELECT moves.owner, moves.state, hashtext(writer::text) & 15, sum(moves.change), sum(moves.bytes) FROM (
    SELECT owner, left_state, -1, 0 FROM unnest(changes) WHERE left_state IS NOT NULL
    UNION ALL
    SELECT owner, coalesce(state, left_state, 2), CASE WHEN state IS NULL THEN 0 ELSE 1 END, bytes FROM unnest(changes)
  ) AS moves (owner, state, change, bytes)
  GROUP BY moves.owner, moves.state HAVING sum(moves.change) <> 0 OR sum(moves.bytes) <> 0
  ORDER BY moves.owner, moves.state
  ON CONFLICT (owner, state, shard) DO UPDATE SET n = present.n + excluded.n, bytes = present.bytes + excluded.bytes;
END $$;

-- Applies the writes of a group that are not among its changes yet, one by one, and collects the outcomes.
CREATE OR REPLACE FUNCTION apply_singly(writes write_request[], INOUT changes task_change[], OUT answer jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  changed text[] := ARRAY(SELECT id FROM unnest(changes));
  write write_request;
  write_index integer := 0;
  outcome jsonb;
BEGIN
  answer := '{}';
  FOREACH write IN ARRAY writes LOOP
    outcome := NULL;
    CASE write.kind
      WHEN 'create-task' THEN
        IF write.task_id <> ALL (changed) THEN outcome := explain_create(write); END IF;
      WHEN 'append' THEN
        IF write.task_id <> ALL (changed) THEN outcome := explain_append(write); END IF;
      WHEN 'acquire-lease' THEN outcome := acquire_lease(write);
      WHEN 'release-lease' THEN PERFORM release_lease(write);
      WHEN 'heartbeat' THEN PERFORM heartbeat(write);
      WHEN 'write-snapshot' THEN
        SELECT * INTO changes, outcome FROM write_snapshot(write, changes);
      WHEN 'put-record' THEN PERFORM put_record(write);
      WHEN 'replace-record' THEN outcome := replace_record(write);
      WHEN 'delete-record' THEN outcome := delete_record(write);
      WHEN 'delete-task' THEN
        SELECT * INTO changes, outcome FROM delete_task(write, changes);
      WHEN 'trim-journal' THEN
        SELECT * INTO changes, outcome FROM trim_journal(write, changes);
    END CASE;
    IF outcome IS NOT NULL THEN answer := jsonb_set(answer, ARRAY[write_index::text], outcome); END IF;
    write_index := write_index + 1;
  END LOOP;
END $$;

-- Applies a group of writes in one transaction and one round trip. Returns the outcomes that are not empty, by the index of
-- their write. A rejected write does not affect the others (J2, J3). No two writes have a subject in common: creates and
-- appends are made all at once, and only the rest is handled one by one.
--
-- A group is identified by its writer and number. If it is sent again because the response was lost, it is not applied twice:
-- the row of the writer makes the second attempt wait for the first one and has its outcomes.
CREATE OR REPLACE FUNCTION apply_group(writer uuid, number bigint, writes jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  earlier writers;
  given write_request[];
  creates integer;
  appends integer;
  changes task_change[] := '{}';
  has_journaled boolean;
  answer jsonb := '{}';
BEGIN
  SELECT * INTO earlier FROM writers WHERE id = writer FOR UPDATE;
  IF earlier.last_group >= number THEN RETURN earlier.outcomes; END IF;

  SELECT
    array_agg(write), count(*) FILTER (WHERE kind = 'create-task'), count(*) FILTER (WHERE kind = 'append')
  INTO given, creates, appends
  FROM jsonb_populate_recordset(NULL::write_request, writes) AS write;
  IF creates > 0 THEN changes := create_tasks(given, changes); END IF;
  IF appends > 0 THEN changes := append_events(given, changes); END IF;
  has_journaled := cardinality(changes) > 0;
  IF cardinality(changes) < cardinality(given) THEN
    SELECT * INTO changes, answer FROM apply_singly(given, changes);
  END IF;
  IF cardinality(changes) > 0 THEN PERFORM add_counts(writer, changes); END IF;

  UPDATE writers SET
    last_group = number,
    last_journal_group = CASE WHEN has_journaled THEN number ELSE last_journal_group END,
    outcomes = answer,
    seen_at = now_milliseconds()
  WHERE id = writer;
  RETURN answer;
END $$;
