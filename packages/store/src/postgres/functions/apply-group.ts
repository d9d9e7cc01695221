/**
 * Applies a group of writes in one transaction and one round trip. Returns the outcomes that are not empty, by the index of
 * their write. A rejected write does not affect the others (J2, J3). No two writes have a subject in common: creates and
 * appends are made all at once, and only the rest is handled one by one.
 *
 * A group is identified by its writer and number. If it is sent again because the response was lost, it is not applied twice:
 * the row of the writer makes the second attempt wait for the first one and has its outcomes.
 */
export const applyGroup = `
  CREATE OR REPLACE FUNCTION apply_group(writer uuid, number bigint, writes jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    earlier writers;
    given write_request[];
    creates integer;
    appends integer;
    changes task_change[] := '{}';
    has_journaled boolean;
    answer jsonb := '{}';
  BEGIN
    SELECT * INTO earlier FROM writers WHERE id = writer FOR UPDATE;
    IF earlier.last_group >= number THEN RETURN earlier.outcomes; END IF;

    SELECT
      array_agg(write), count(*) FILTER (WHERE kind = 'create-task'), count(*) FILTER (WHERE kind = 'append')
    INTO given, creates, appends
    FROM jsonb_populate_recordset(NULL::write_request, writes) AS write;
    IF creates > 0 THEN changes := create_tasks(given, changes); END IF;
    IF appends > 0 THEN changes := append_events(given, changes); END IF;
    has_journaled := cardinality(changes) > 0;
    IF cardinality(changes) < cardinality(given) THEN
      SELECT * INTO changes, answer FROM apply_singly(given, changes);
    END IF;
    IF cardinality(changes) > 0 THEN PERFORM add_counts(writer, changes); END IF;

    UPDATE writers SET
      last_group = number,
      last_journal_group = CASE WHEN has_journaled THEN number ELSE last_journal_group END,
      outcomes = answer,
      seen_at = now_milliseconds()
    WHERE id = writer;
    RETURN answer;
  END $$;
`;
