import type { DatabaseSync } from 'node:sqlite';
import { integer, text, type Row } from '../../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import { endedPage } from '../../ended-page.ts';
import { FIRST_POSITION } from '../../first-position.ts';
import type { EndedPage, ExcessCursor, ExcessQuery } from '../../port.ts';
import { HEADER_COLUMNS, rowToExcessCursor, rowToHeader } from './task-header.ts';

/**
 * The counts tell which owners have too many tasks, so only their tasks are read. They do not tell how many come after a
 * cursor: for the owner at the cursor these are counted, up to the number that matters.
 */
export function prepareListExcess(database: DatabaseSync): (query: ExcessQuery) => EndedPage<ExcessCursor> {
  const owners = database.prepare(`
    SELECT owner, sum(n) AS ended FROM counts WHERE state IN (3, 4, 5, 7) AND owner >= ?
    GROUP BY owner HAVING sum(n) > ? ORDER BY owner LIMIT ?`);
  const countBeyond = database.prepare(`
    SELECT count(*) AS ended FROM (
      SELECT 1 FROM tasks INDEXED BY tasks_by_state
      WHERE owner = ? AND state IN (3, 4, 5, 7) AND (status_time, key) > (?, ?) LIMIT ?)`);
  const oldest = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_by_owner
    WHERE owner = ? AND state IN (3, 4, 5, 7) AND (status_time, key) > (?, ?)
    ORDER BY status_time, key LIMIT ?`);
  return ({ keep, cursor, limit }) => {
    const wanted = limit + 1;
    const cursorOwner = cursor && toDatabaseText(cursor.owner);
    const found: Row[] = [];
    // One owner more than tasks, because the owner at the cursor may have none left.
    for (const row of owners.all(cursorOwner ?? '', keep, wanted + 1)) {
      const owner = text(row, 'owner');
      const isAtCursor = owner === cursorOwner;
      const { statusTime, tieBreak } = isAtCursor && cursor ? cursor : FIRST_POSITION;
      const counted = isAtCursor ? countBeyond.get(owner, statusTime, tieBreak, keep + wanted) : row;
      const many = Math.min(integer(counted ?? {}, 'ended') - keep, wanted - found.length);
      if (many > 0) found.push(...oldest.all(owner, statusTime, tieBreak, many));
      if (found.length === wanted) break;
    }
    return endedPage(found, limit, rowToHeader, rowToExcessCursor);
  };
}
