import { rowToStatusEvent } from '../../journal-rows.ts';
import type { CommittedEvent } from '../../port.ts';
import { integer, text } from '../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';

/** Costs three seeks however long the journal is: each row stores the newest status event at or before its end. */
export function prepareReadStatusEvent(
  query: Query,
  schema: string,
): (taskId: string, sequence: number) => Promise<CommittedEvent | undefined> {
  // The row that contains the sequence number, then the row with the newest status event before that row.
  const statement = `
    WITH task AS (SELECT key FROM ${schema}.tasks WHERE id = $1),
    around AS (
      SELECT last_sequence, first_sequence, lines FROM ${schema}.journal
      WHERE task = (SELECT key FROM task) AND last_sequence >= $2::bigint ORDER BY last_sequence LIMIT 1
    ),
    before AS (
      SELECT status_sequence FROM ${schema}.journal
      WHERE task = (SELECT key FROM task) AND last_sequence < $2::bigint ORDER BY last_sequence DESC LIMIT 1
    ),
    holding AS (
      SELECT last_sequence, first_sequence, lines FROM ${schema}.journal
      WHERE task = (SELECT key FROM task)
        AND last_sequence >= (SELECT status_sequence FROM before WHERE status_sequence > 0)
      ORDER BY last_sequence LIMIT 1
    )
    SELECT * FROM around UNION ALL SELECT * FROM holding ORDER BY last_sequence DESC`;

  return async (taskId, sequence) => {
    const rows = await query({
      name: 'read-status-event',
      text: statement,
      values: [toDatabaseText(taskId), sequence],
    });
    for (const row of rows) {
      const event = rowToStatusEvent(integer(row, 'first_sequence'), text(row, 'lines'), sequence);
      if (event !== undefined) return event;
    }
    return undefined;
  };
}
