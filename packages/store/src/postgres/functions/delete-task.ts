/** Answers whether there was such a task that has ended. */
export const deleteTask = `
  CREATE OR REPLACE FUNCTION delete_task(write write_request, INOUT result write_result) LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM tasks WHERE id = write.task_id AND state IN (3, 4, 5, 7)
    RETURNING key, owner, state INTO result.task_key, result.owner, result.left_state;
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM journal WHERE task = result.task_key;
    DELETE FROM snapshots WHERE task = result.task_key;
    DELETE FROM idempotency WHERE task_id = write.task_id;
    result.outcome := 'true';
  END $$;
`;
