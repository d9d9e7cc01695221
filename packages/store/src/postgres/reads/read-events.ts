import { rowToEvents } from '../../journal-rows.ts';
import type { CommittedEvent } from '../../port.ts';
import { integer, text } from '../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';

/** A read stops here: readers pull at their own pace and should not hold a long journal in memory (J5). */
const ENOUGH_BYTES = 256 * 1024;

export function prepareReadEvents(
  query: Query,
  schema: string,
): (taskId: string, after: number, limit: number) => Promise<CommittedEvent[]> {
  // The length of a long text is known without loading it, so surplus rows are never read.
  const statement = `
    SELECT first_sequence, lines FROM (
      SELECT first_sequence, last_sequence, lines,
        sum(octet_length(lines)) OVER (ORDER BY last_sequence) - octet_length(lines) AS bytes_before
      FROM ${schema}.journal
      WHERE task = (SELECT key FROM ${schema}.tasks WHERE id = $1) AND last_sequence > $2::bigint
      ORDER BY last_sequence LIMIT $3
    ) AS candidates
    WHERE bytes_before < ${ENOUGH_BYTES} ORDER BY last_sequence`;

  return async (taskId, after, limit) => {
    const values = [toDatabaseText(taskId), after, limit];
    const rows = await query({ name: 'read-events', text: statement, values });
    return rows
      .flatMap((row) => rowToEvents(integer(row, 'first_sequence'), text(row, 'lines')))
      .filter((event) => event.sequence > after)
      .slice(0, limit);
  };
}
