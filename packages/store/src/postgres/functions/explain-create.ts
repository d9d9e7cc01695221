/**
 * What became of a task that was not created: nothing to tell when an earlier attempt created it, whose answer was lost;
 * the entry that has taken its idempotency key; or a refusal. A key that it took for nothing is given back.
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
