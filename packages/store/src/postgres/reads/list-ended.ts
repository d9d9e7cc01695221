import type { EndedQuery, TaskHeader } from '../../port.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

/** Trimmed tasks and others lie apart in the index: each part is read in order, and the older of both come first. */
export function prepareListEnded(
  query: Query,
  schema: string,
): (endedQuery: EndedQuery) => Promise<TaskHeader[]> {
  const text = `
    SELECT of_part.* FROM unnest($1::boolean[]) AS wanted (part)
    CROSS JOIN LATERAL (
      SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
      WHERE state IN (3, 4, 5, 7) AND trimmed = wanted.part AND status_time <= $2::bigint
      ORDER BY status_time, key LIMIT $3
    ) AS of_part
    ORDER BY status_time, key LIMIT $3`;
  return async ({ until, untrimmed = false, limit }) => {
    const parts = untrimmed ? [false] : [false, true];
    return (await query({ text, values: [parts, until, limit] })).map(rowToHeader);
  };
}
