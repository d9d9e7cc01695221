/**
 * Checks an append; `change_tasks` and `insert_journal_rows` make the accepted ones of a group. The row of the task is
 * locked before it is looked at: nobody can take the lease between the check and the commit (J3).
 */
export const append = `
  CREATE OR REPLACE FUNCTION append(write write_request, INOUT result write_result) LANGUAGE plpgsql AS $$
  DECLARE
    task record;
  BEGIN
    SELECT key, owner, state, fence, last_sequence, status_sequence INTO task
    FROM tasks WHERE id = write.task_id FOR NO KEY UPDATE;
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

    IF write.key IS NOT NULL THEN
      INSERT INTO idempotency (owner, key, task_id, payload_hash)
      VALUES (write.owner, write.key, write.task_id, write.payload_hash) ON CONFLICT DO NOTHING;
    END IF;
    result.task_key := task.key;
    result.owner := task.owner;
    IF write.state IS NOT NULL THEN result.left_state := task.state; END IF;
    result.status_before := task.status_sequence;
    result.write := write;
  END $$;
`;
