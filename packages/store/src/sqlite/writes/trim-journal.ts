import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../../columns.ts';
import type { Outcome, TrimJournalWrite } from '../write.ts';

/** Returns whether the journal was trimmed: the task must have ended and its snapshot must be complete. */
export function prepareTrimJournal(database: DatabaseSync): (write: TrimJournalWrite) => Outcome {
  const findTail = database.prepare(`
    SELECT key, position, position & 4294967295 AS last_sequence, lines
    FROM tasks JOIN snapshots ON task = key
    JOIN journal ON position = (
      SELECT max(position) FROM journal WHERE position BETWEEN key << 32 AND (key << 32) + 4294967295)
    WHERE id = ? AND state IN (3, 4, 5, 7) AND sequence = position & 4294967295`);
  const removeRows = database.prepare('DELETE FROM journal WHERE position BETWEEN ? << 32 AND ? - 1');
  const keepLast = database.prepare('UPDATE journal SET first_sequence = ?, lines = ? WHERE position = ?');
  const mark = database.prepare('UPDATE tasks SET trimmed = 1 WHERE key = ?');

  return ([, taskId]) => {
    const tail = findTail.get(taskId);
    if (tail === undefined) return false;
    const key = integer(tail, 'key');
    const position = integer(tail, 'position');
    const lines = text(tail, 'lines');
    removeRows.run(key, position);
    keepLast.run(integer(tail, 'last_sequence'), lines.slice(lines.lastIndexOf('\n') + 1), position);
    mark.run(key);
    return true;
  };
}
