import type { DatabaseSync } from 'node:sqlite';
import type { EndedQuery, TaskHeader } from '../../port.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

/** Trimmed tasks and others lie apart in the index: each part is read in order, and the older of both come first. */
export function prepareListEnded(database: DatabaseSync): (query: EndedQuery) => TaskHeader[] {
  const select = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_ended
    WHERE state IN (3, 4, 5, 7) AND trimmed = ? AND status_time <= ?
    ORDER BY status_time, key LIMIT ?`);
  return ({ until, untrimmed = false, limit }) => {
    const open = select.all(0, until, limit).map(rowToHeader);
    if (untrimmed) return open;
    const trimmed = select.all(1, until, limit).map(rowToHeader);
    return [...open, ...trimmed].toSorted((one, other) => one.statusTime - other.statusTime).slice(0, limit);
  };
}
