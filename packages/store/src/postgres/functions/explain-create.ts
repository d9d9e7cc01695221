/**
 * Why a task was skipped: nothing if an earlier attempt created it and the response was lost, the entry that has its
 * idempotency key, or a rejection. A key that was inserted in vain is deleted.
 */
export const explainCreate = `
  CREATE OR REPLACE FUNCTION explain_create(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    taken idempotency;
  BEGIN
    IF write.key IS NOT NULL THEN
      SELECT * INTO taken FROM idempotency WHERE owner = write.owner AND key = write.key;
      IF NOT FOUND THEN
        RAISE serialization_failure USING MESSAGE = 'The key is free by now; apply the group again.';
      END IF;
      IF (taken.task_id, taken.payload_hash) <> (write.task_id, write.payload_hash) THEN
        RETURN jsonb_build_object('taskId', taken.task_id, 'payloadHash', taken.payload_hash);
      END IF;
    END IF;

    UPDATE tasks SET holder = write.holder
    WHERE id = write.task_id AND owner = write.owner AND fence = 1 AND last_sequence = write.last_sequence
      AND is_written(key, write.rows);
    IF FOUND THEN RETURN NULL; END IF;
    DELETE FROM idempotency
    WHERE owner = write.owner AND key = write.key AND xmin = pg_current_xact_id()::xid;
    RETURN '{"refused": "task-exists"}';
  END $$;
`;
