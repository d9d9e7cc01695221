import type { DatabaseSync } from 'node:sqlite';
import { toDatabaseText } from '../../database-text.ts';
import type { CommittedEvent } from '../../port.ts';
import { integer, text } from '../../columns.ts';
import { rowToEvents } from '../../journal-rows.ts';

/** Rows fetched per query. A row is at most about 256 KiB unless a single event is longer. */
const ROWS_AT_ONCE = 16;
/** A read stops here: readers pull at their own pace and should not hold a long journal in memory (J5). */
const ENOUGH_CHARACTERS = 256 * 1024;

export function prepareReadEvents(
  database: DatabaseSync,
): (taskId: string, after: number, limit: number) => CommittedEvent[] {
  const findTask = database.prepare('SELECT key FROM tasks WHERE id = ?');
  const selectRows = database.prepare(`
    SELECT position & 4294967295 AS last_sequence, first_sequence, lines FROM journal
    WHERE position > (? << 32) + ? AND position <= (? << 32) + 4294967295
    ORDER BY position LIMIT ?`);

  return (taskId, after, limit) => {
    const task = findTask.get(toDatabaseText(taskId));
    if (task === undefined) return [];
    const key = integer(task, 'key');
    const events: CommittedEvent[] = [];
    let cursor = Math.max(0, after);
    let characters = 0;
    while (events.length < limit && characters < ENOUGH_CHARACTERS) {
      const rowLimit = Math.min(ROWS_AT_ONCE, limit - events.length);
      const rows = selectRows.all(key, cursor, key, rowLimit);
      for (const row of rows) {
        if (characters >= ENOUGH_CHARACTERS) return events;
        const firstSequence = integer(row, 'first_sequence');
        const lines = text(row, 'lines');
        const wanted = rowToEvents(firstSequence, lines).slice(Math.max(0, cursor + 1 - firstSequence));
        events.push(...wanted.slice(0, limit - events.length));
        cursor = integer(row, 'last_sequence');
        characters += lines.length;
      }
      if (rows.length < rowLimit) break;
    }
    return events;
  };
}
