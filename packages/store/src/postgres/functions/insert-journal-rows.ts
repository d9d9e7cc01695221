/** Each row says which event of its append is the newest so far that changes the status, 0 if none does. */
export const insertJournalRows = `
  CREATE OR REPLACE FUNCTION insert_journal_rows(task_key bigint, status_before integer, rows jsonb)
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO journal (task, last_sequence, first_sequence, status_sequence, lines)
    SELECT task_key, given.last, given.first, greatest(status_before, given.status), given.lines
    FROM jsonb_to_recordset(rows) AS given (first integer, last integer, status integer, lines text);
  END $$;
`;
