import type { TaskHeader } from '../../port.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

/** Replicas that ask at once get the same tasks; the one that acquires the lease gets the task. */
export function prepareListOrphans(query: Query, schema: string): (limit: number) => Promise<TaskHeader[]> {
  const text = `
    SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
    WHERE state IN (1, 2) AND NOT EXISTS (
      SELECT FROM ${schema}.holders
      WHERE holders.id = tasks.holder AND expires_at > ${schema}.now_milliseconds()
    )
    ORDER BY key LIMIT $1`;
  return async (limit) => (await query({ text, values: [limit] })).map(rowToHeader);
}
