import type { DatabaseSync } from 'node:sqlite';
import type { JournalRow } from '../../journal-rows.ts';

export type InsertJournalRows = (
  taskKey: number | bigint,
  firstSequence: number,
  /** The newest event before these rows that changes the status, 0 if there is none. */
  statusSequence: number,
  rows: readonly JournalRow[],
) => void;

export function prepareInsertJournalRows(database: DatabaseSync): InsertJournalRows {
  const statement = database.prepare(
    'INSERT INTO journal (position, first_sequence, status_sequence, lines) VALUES ((? << 32) + ?, ?, ?, ?)',
  );
  return (taskKey, firstSequence, statusSequence, rows) => {
    let first = firstSequence;
    let newestStatus = statusSequence;
    for (const [count, statusIndex, lines] of rows) {
      if (statusIndex >= 0) newestStatus = first + statusIndex;
      statement.run(taskKey, first + count - 1, first, newestStatus, lines);
      first += count;
    }
  };
}
