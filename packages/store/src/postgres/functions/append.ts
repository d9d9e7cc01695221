/** The row of the task is locked before it is looked at: nobody can take the lease between the check and the commit (J3). */
export const append = `
  CREATE OR REPLACE FUNCTION append(write write_request, INOUT result write_result) LANGUAGE plpgsql AS $$
  DECLARE
    task tasks;
  BEGIN
    SELECT * INTO task FROM tasks WHERE id = write.task_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      result.outcome := '{"refused": "unknown-task"}';
      RETURN;
    END IF;
    IF task.fence <> write.fence THEN
      result.outcome := jsonb_build_object('refused', 'stale-fence', 'expected', task.fence);
      RETURN;
    END IF;
    IF task.last_sequence + 1 <> write.first_sequence THEN
      IF NOT is_written(task.key, write.rows) THEN
        result.outcome := jsonb_build_object('refused', 'sequence-conflict', 'expected', task.last_sequence + 1);
      END IF;
      RETURN;
    END IF;

    PERFORM insert_journal_rows(task.key, task.status_sequence, write.rows);
    UPDATE tasks SET
      last_sequence = write.last_sequence,
      status_sequence = greatest(status_sequence, write.status_sequence),
      state = coalesce(write.state, state),
      status_time = coalesce(write.status_time, status_time),
      status = coalesce(write.status, status),
      holder = CASE WHEN write.releases THEN NULL ELSE holder END
    WHERE id = write.task_id;
    IF write.key IS NOT NULL THEN
      INSERT INTO idempotency (owner, key, task_id, payload_hash)
      VALUES (write.owner, write.key, write.task_id, write.payload_hash) ON CONFLICT DO NOTHING;
    END IF;
    IF write.state IS NOT NULL THEN
      result.owner := task.owner;
      result.left_state := task.state;
      result.entered_state := write.state;
    END IF;
  END $$;
`;
