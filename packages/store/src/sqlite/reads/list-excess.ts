import type { DatabaseSync } from 'node:sqlite';
import type { TaskHeader } from '../../port.ts';
import { integer, text } from '../../columns.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

/** The counts say which owners have too many, so that only their tasks are looked at. */
export function prepareListExcess(database: DatabaseSync): (keep: number, limit: number) => TaskHeader[] {
  const owners = database.prepare(`
    SELECT owner, sum(n) AS ended FROM counts WHERE state IN (3, 4, 5, 7)
    GROUP BY owner HAVING sum(n) > ? LIMIT ?`);
  const oldest = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks
    WHERE owner = ? AND state IN (3, 4, 5, 7) ORDER BY status_time, key LIMIT ?`);
  return (keep, limit) => {
    const found: TaskHeader[] = [];
    for (const row of owners.all(keep, limit)) {
      const many = Math.min(integer(row, 'ended') - keep, limit - found.length);
      if (many <= 0) break;
      found.push(...oldest.all(text(row, 'owner'), many).map(rowToHeader));
    }
    return found;
  };
}
