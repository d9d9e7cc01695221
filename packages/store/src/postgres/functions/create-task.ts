/**
 * Answers with the entry that has taken the idempotency key, if one has. The insert of a key waits for another replica
 * that takes the same one, so that one of them wins (J8).
 */
export const createTask = `
  CREATE OR REPLACE FUNCTION create_task(write write_request, INOUT result write_result) LANGUAGE plpgsql AS $$
  DECLARE
    taken idempotency;
    took_key boolean := false;
    task_key bigint;
  BEGIN
    IF write.key IS NOT NULL THEN
      INSERT INTO idempotency (owner, key, task_id, payload_hash)
      VALUES (write.owner, write.key, write.task_id, write.payload_hash) ON CONFLICT DO NOTHING;
      took_key := FOUND;
      IF NOT took_key THEN
        SELECT * INTO taken FROM idempotency WHERE owner = write.owner AND key = write.key;
        IF (taken.task_id, taken.payload_hash) <> (write.task_id, write.payload_hash) THEN
          result.outcome := jsonb_build_object('taskId', taken.task_id, 'payloadHash', taken.payload_hash);
          RETURN;
        END IF;
      END IF;
    END IF;

    INSERT INTO tasks (
      id, owner, context_id, state, status_time, status, created_at, holder, last_sequence, status_sequence
    ) VALUES (
      write.task_id, write.owner, write.context_id, write.state, write.status_time, write.status, write.status_time,
      write.holder, write.last_sequence, write.status_sequence
    ) ON CONFLICT (id) DO NOTHING RETURNING key INTO task_key;
    IF FOUND THEN
      result.task_key := task_key;
      result.owner := write.owner;
      result.status_before := 0;
      result.write := write;
      RETURN;
    END IF;

    -- Created by an earlier attempt whose answer was lost, or a task of somebody else.
    UPDATE tasks SET holder = write.holder
    WHERE id = write.task_id AND owner = write.owner AND fence = 1 AND last_sequence = write.last_sequence
      AND is_written(key, write.rows);
    IF FOUND THEN RETURN; END IF;
    IF took_key THEN
      DELETE FROM idempotency WHERE owner = write.owner AND key = write.key;
    END IF;
    result.outcome := '{"refused": "task-exists"}';
  END $$;
`;
