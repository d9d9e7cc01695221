import type { DatabaseSync } from 'node:sqlite';
import { toDatabaseText } from '../../database-text.ts';
import type { CommittedEvent } from '../../port.ts';
import { integer, text, type Row } from '../../columns.ts';
import { rowToStatusEvent } from '../../journal-rows.ts';

/** Costs two seeks however long the journal is: each row stores the newest status event at or before its end. */
export function prepareReadStatusEvent(
  database: DatabaseSync,
): (taskId: string, sequence: number) => CommittedEvent | undefined {
  const findTask = database.prepare('SELECT key FROM tasks WHERE id = ?');
  const rowFrom = database.prepare(`
    SELECT first_sequence, status_sequence, lines FROM journal
    WHERE position BETWEEN (? << 32) + ? AND (? << 32) + 4294967295 ORDER BY position LIMIT 1`);
  const rowBefore = database.prepare(`
    SELECT first_sequence, status_sequence, lines FROM journal
    WHERE position >= (? << 32) AND position < (? << 32) + ? ORDER BY position DESC LIMIT 1`);

  function statusAtEndOf(key: number, row: Row | undefined): CommittedEvent | undefined {
    if (row === undefined) return undefined;
    const statusSequence = integer(row, 'status_sequence');
    if (statusSequence === 0) return undefined;
    const holding =
      statusSequence >= integer(row, 'first_sequence') ? row : rowFrom.get(key, statusSequence, key);
    if (holding === undefined) return undefined;
    return rowToStatusEvent(integer(holding, 'first_sequence'), text(holding, 'lines'), statusSequence);
  }

  return (taskId, sequence) => {
    const task = findTask.get(toDatabaseText(taskId));
    if (task === undefined) return undefined;
    const key = integer(task, 'key');
    const around = rowFrom.get(key, Math.max(0, sequence), key);
    if (around === undefined) return statusAtEndOf(key, rowBefore.get(key, key, sequence));
    const firstSequence = integer(around, 'first_sequence');
    return (
      rowToStatusEvent(firstSequence, text(around, 'lines'), sequence) ??
      statusAtEndOf(key, rowBefore.get(key, key, firstSequence))
    );
  };
}
