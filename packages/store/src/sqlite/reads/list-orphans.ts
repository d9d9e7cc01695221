import type { DatabaseSync } from 'node:sqlite';
import type { TaskHeader } from '../../port.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

export function prepareListOrphans(database: DatabaseSync): (now: number, limit: number) => TaskHeader[] {
  const select = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_running
    WHERE state IN (1, 2)
      AND (holder IS NULL OR holder NOT IN (SELECT id FROM holders WHERE expires_at > ?))
    ORDER BY key LIMIT ?`);
  return (now, limit) => select.all(now, limit).map(rowToHeader);
}
