/** Applies the writes of a group that are not among its changes yet, one by one, and collects the outcomes. */
export const applySingly = `
  CREATE OR REPLACE FUNCTION apply_singly(writes write_request[], INOUT changes task_change[], OUT answer jsonb)
  LANGUAGE plpgsql AS $$
  DECLARE
    changed text[] := ARRAY(SELECT id FROM unnest(changes));
    write write_request;
    write_index integer := 0;
    outcome jsonb;
  BEGIN
    answer := '{}';
    FOREACH write IN ARRAY writes LOOP
      outcome := NULL;
      CASE write.kind
        WHEN 'create-task' THEN
          IF write.task_id <> ALL (changed) THEN outcome := explain_create(write); END IF;
        WHEN 'append' THEN
          IF write.task_id <> ALL (changed) THEN outcome := explain_append(write); END IF;
        WHEN 'acquire-lease' THEN outcome := acquire_lease(write);
        WHEN 'release-lease' THEN PERFORM release_lease(write);
        WHEN 'heartbeat' THEN PERFORM heartbeat(write);
        WHEN 'write-snapshot' THEN outcome := write_snapshot(write);
        WHEN 'put-record' THEN PERFORM put_record(write);
        WHEN 'replace-record' THEN outcome := replace_record(write);
        WHEN 'delete-record' THEN outcome := delete_record(write);
        WHEN 'delete-task' THEN
          SELECT * INTO changes, outcome FROM delete_task(write, changes);
        WHEN 'trim-journal' THEN outcome := trim_journal(write);
      END CASE;
      IF outcome IS NOT NULL THEN answer := jsonb_set(answer, ARRAY[write_index::text], outcome); END IF;
      write_index := write_index + 1;
    END LOOP;
  END $$;
`;
