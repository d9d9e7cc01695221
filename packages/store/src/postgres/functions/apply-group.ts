/**
 * Applies a group of writes in one transaction and one round trip. Answers with the outcomes worth telling, by the index of
 * their write. A write is checked before it changes anything: one that is refused leaves its neighbours alone (J2, J3). No
 * two of them are about the same task: what appends change is checked one by one and then changed all at once.
 *
 * A group is known by its writer and number. Sent again because its answer was lost, it is not applied twice: the row of the
 * writer makes the second attempt wait for the first one and tells what came of it.
 */
export const applyGroup = `
  CREATE OR REPLACE FUNCTION apply_group(writer uuid, number bigint, writes jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    earlier writers;
    write write_request;
    nothing write_result;
    result write_result;
    results write_result[] := '{}';
    place integer := 0;
    answer jsonb := '{}';
    has_journaled boolean := false;
  BEGIN
    SELECT * INTO earlier FROM writers WHERE id = writer FOR UPDATE;
    IF earlier.last_group >= number THEN RETURN earlier.outcomes; END IF;

    FOR write IN SELECT * FROM jsonb_populate_recordset(NULL::write_request, writes) LOOP
      result := nothing;
      CASE write.kind
        WHEN 'append' THEN result := append(write, result);
        WHEN 'create-task' THEN result := create_task(write, result);
        WHEN 'acquire-lease' THEN result := acquire_lease(write, result);
        WHEN 'release-lease' THEN PERFORM release_lease(write);
        WHEN 'heartbeat' THEN PERFORM heartbeat(write);
        WHEN 'write-snapshot' THEN result := write_snapshot(write, result);
        WHEN 'put-record' THEN PERFORM put_record(write);
        WHEN 'replace-record' THEN result := replace_record(write, result);
        WHEN 'delete-record' THEN result := delete_record(write, result);
        WHEN 'delete-task' THEN result := delete_task(write, result);
        WHEN 'trim-journal' THEN result := trim_journal(write, result);
      END CASE;
      IF result.outcome IS NOT NULL THEN
        answer := jsonb_set(answer, ARRAY[place::text], result.outcome);
      ELSIF write.rows IS NOT NULL THEN
        has_journaled := true;
      END IF;
      IF result.task_key IS NOT NULL THEN results := results || result; END IF;
      place := place + 1;
    END LOOP;

    IF cardinality(results) > 0 THEN
      PERFORM change_tasks(results);
      PERFORM insert_journal_rows(results);
      PERFORM add_counts(writer, results);
    END IF;
    UPDATE writers SET
      last_group = number,
      last_journal_group = CASE WHEN has_journaled THEN number ELSE last_journal_group END,
      outcomes = answer,
      seen_at = now_milliseconds()
    WHERE id = writer;
    RETURN answer;
  END $$;
`;
