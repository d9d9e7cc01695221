/** Returns whether there was such a task and it had ended. */
export const deleteTask = `
  CREATE OR REPLACE FUNCTION delete_task(write write_request, INOUT changes task_change[], OUT outcome jsonb)
  LANGUAGE plpgsql AS $$
  DECLARE
    deleted record;
  BEGIN
    DELETE FROM tasks WHERE id = write.task_id AND state IN (3, 4, 5, 7)
    RETURNING key, owner, state INTO deleted;
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM journal WHERE task = deleted.key;
    DELETE FROM snapshots WHERE task = deleted.key;
    DELETE FROM idempotency WHERE task_id = write.task_id;
    changes := changes || ROW(write.task_id, deleted.owner, deleted.state, NULL)::task_change;
    outcome := 'true';
  END $$;
`;
