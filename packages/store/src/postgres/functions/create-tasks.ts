/**
 * Creates all tasks of a group at once, with their journals, and adds them to the changes. It skips tasks that conflict with
 * an existing key or task; `explain_create` says why. The insert of a key waits for another replica that inserts the same
 * key, so that one of them wins (J8); the fixed order prevents deadlocks.
 */
export const createTasks = `
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
    SELECT array_agg(ROW(id, owner, NULL, state)::task_change) INTO created FROM created_task;
    changes := changes || created;
  END $$;
`;
