/** Returns whether the journal was trimmed: the task must have ended and its snapshot must be complete. */
export const trimJournal = `
  CREATE OR REPLACE FUNCTION trim_journal(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    task record;
  BEGIN
    SELECT key, last_sequence INTO task
    FROM tasks JOIN snapshots ON snapshots.task = tasks.key AND snapshots.sequence = tasks.last_sequence
    WHERE id = write.task_id AND state IN (3, 4, 5, 7) FOR NO KEY UPDATE OF tasks;
    IF NOT FOUND THEN RETURN NULL; END IF;
    DELETE FROM journal WHERE journal.task = task.key AND journal.last_sequence < task.last_sequence;
    UPDATE journal SET first_sequence = journal.last_sequence, lines = split_part(lines, chr(10), -1)
    WHERE journal.task = task.key;
    UPDATE tasks SET first_sequence = tasks.last_sequence, trimmed = true WHERE id = write.task_id;
    RETURN 'true';
  END $$;
`;
