import type { DatabaseSync } from 'node:sqlite';
import { toDatabaseText } from '../../database-text.ts';
import type { TaskHeader } from '../../port.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

export function prepareReadTask(database: DatabaseSync): (taskId: string) => TaskHeader | undefined {
  const select = database.prepare(`SELECT ${HEADER_COLUMNS} FROM tasks WHERE id = ?`);
  return (taskId) => {
    const row = select.get(toDatabaseText(taskId));
    return row === undefined ? undefined : rowToHeader(row);
  };
}
