/** Why an append was skipped: a rejection, or nothing if an earlier attempt made it and the response was lost. */
export const explainAppend = `
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
`;
