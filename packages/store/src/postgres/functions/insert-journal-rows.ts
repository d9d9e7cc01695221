/**
 * Inserts the rows of all writes of a group at once. Each row says which event of its own append is the newest so far that
 * changes the status, 0 if none does.
 */
export const insertJournalRows = `
  CREATE OR REPLACE FUNCTION insert_journal_rows(results write_result[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO journal (task, last_sequence, first_sequence, status_sequence, lines)
    SELECT result.task_key, given.last, given.first, greatest(result.status_before, given.status), given.lines
    FROM unnest(results) AS result
    CROSS JOIN LATERAL jsonb_to_recordset((result.write).rows)
      AS given (first integer, last integer, status integer, lines text);
  END $$;
`;
