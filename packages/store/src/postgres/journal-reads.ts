import type { QueryConfig } from 'pg';
import type { StoreReads } from '../backed-store.ts';
import { integer, type Row, rowToEvents, rowToStatusEvent, text, toDatabaseText } from '../sql/rows.ts';

/** Runs a statement and returns its rows. */
export type Query = (statement: QueryConfig) => Promise<Row[]>;

/** A read stops here: readers pull at their own pace and should not hold a long journal in memory (J5). */
const ENOUGH_BYTES = 256 * 1024;

/** The reads of one task's journal and of its snapshot. */
export function prepareJournalReads(query: Query, schema: string) {
  return {
    readEvents: prepareReadEvents(query, schema),
    readStatusEvent: prepareReadStatusEvent(query, schema),
    readSnapshot: prepareReadSnapshot(query, schema),
  } satisfies Partial<StoreReads>;
}

function prepareReadEvents(query: Query, schema: string): StoreReads['readEvents'] {
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

/** Costs three seeks however long the journal is: each row stores the newest status event at or before its end. */
function prepareReadStatusEvent(query: Query, schema: string): StoreReads['readStatusEvent'] {
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

function prepareReadSnapshot(query: Query, schema: string): StoreReads['readSnapshot'] {
  const statement = `
    SELECT sequence, json FROM ${schema}.snapshots
    WHERE task = (SELECT key FROM ${schema}.tasks WHERE id = $1) AND octet_length(json) <= $2::bigint`;
  return async (taskId, mostCharacters = Number.MAX_SAFE_INTEGER) => {
    const values = [toDatabaseText(taskId), mostCharacters];
    const [row] = await query({ name: 'read-snapshot', text: statement, values });
    return row && { sequence: integer(row, 'sequence'), json: text(row, 'json') };
  };
}
