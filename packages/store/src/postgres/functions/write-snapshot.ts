export const writeSnapshot = `
  CREATE OR REPLACE FUNCTION write_snapshot(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    task_key bigint;
  BEGIN
    SELECT key INTO task_key FROM tasks WHERE id = write.task_id;
    IF NOT FOUND THEN RETURN '{"refused": "unknown-task"}'; END IF;
    INSERT INTO snapshots AS present (task, sequence, json) VALUES (task_key, write.last_sequence, write.value)
    ON CONFLICT (task) DO UPDATE SET sequence = excluded.sequence, json = excluded.json
    WHERE excluded.sequence >= present.sequence;
    RETURN NULL;
  END $$;
`;
