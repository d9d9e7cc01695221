/**
 * Whether a journal contains exactly these rows: then a write that repeats them, because the response to its first attempt was
 * lost, is already done.
 */
export const isWritten = `
  CREATE OR REPLACE FUNCTION is_written(task_key bigint, rows jsonb) RETURNS boolean LANGUAGE sql AS $$
    SELECT NOT EXISTS (
      SELECT FROM jsonb_to_recordset(rows) AS given (first integer, last integer, lines text)
      LEFT JOIN journal ON journal.task = task_key
        AND journal.last_sequence = given.last AND journal.first_sequence = given.first
      WHERE journal.lines IS DISTINCT FROM given.lines
    )
  $$;
`;
