import type { TaskHeader } from '../../port.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

export function prepareReadTask(
  query: Query,
  schema: string,
): (taskId: string) => Promise<TaskHeader | undefined> {
  const text = `SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks WHERE id = $1`;
  return async (taskId) => {
    const [row] = await query({ name: 'read-task', text, values: [toDatabaseText(taskId)] });
    return row === undefined ? undefined : rowToHeader(row);
  };
}
