/**
 * Makes all appends of a group at once and adds them to the changes. It skips appends that do not match their tasks;
 * `explain_append` says why. The row of a task is locked before it is checked: nobody can acquire the lease between the check
 * and the commit (J3).
 */
export const appendEvents = `
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
      ROW(task_id, task_owner, CASE WHEN state IS NOT NULL THEN task_state END, state)::task_change
    ) INTO appended FROM given;
    changes := changes || appended;
  END $$;
`;
