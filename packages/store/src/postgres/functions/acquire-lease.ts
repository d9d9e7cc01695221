/**
 * Returns the new fence, or nothing if another living process holds the task. The holder is looked up in a separate statement
 * after the row is locked, because it may have sent a heartbeat while this call waited for the lock.
 */
export const acquireLease = `
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
`;
