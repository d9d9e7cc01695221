import type { DatabaseSync } from 'node:sqlite';
import { endedPage } from '../../ended-page.ts';
import { FIRST_POSITION } from '../../first-position.ts';
import { integer, type Row } from '../../columns.ts';
import type { EndedPage, EndedQuery, PageCursor } from '../../port.ts';
import { HEADER_COLUMNS, rowToCursor, rowToHeader } from './task-header.ts';

/** The index stores trimmed and untrimmed tasks separately: both parts are read in order and merged. */
export function prepareListEnded(database: DatabaseSync): (query: EndedQuery) => EndedPage<PageCursor> {
  const select = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_ended
    WHERE state IN (3, 4, 5, 7) AND trimmed = ? AND status_time <= ? AND (status_time, key) > (?, ?)
    ORDER BY status_time, key LIMIT ?`);
  return ({ until, untrimmed = false, cursor = FIRST_POSITION, limit }) => {
    const rows = (untrimmed ? [0] : [0, 1])
      .flatMap((part) => select.all(part, until, cursor.statusTime, cursor.tieBreak, limit + 1) as Row[])
      .toSorted(byPosition);
    return endedPage(rows, limit, rowToHeader, rowToCursor);
  };
}

function byPosition(one: Row, other: Row): number {
  return (
    integer(one, 'status_time') - integer(other, 'status_time') || integer(one, 'key') - integer(other, 'key')
  );
}
