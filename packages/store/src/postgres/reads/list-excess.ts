import type { TaskHeader } from '../../port.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToHeader } from './task-header.ts';

/** The counts say which owners have too many, so that only their tasks are looked at. */
export function prepareListExcess(
  query: Query,
  schema: string,
): (keep: number, limit: number) => Promise<TaskHeader[]> {
  const text = `
    SELECT oldest.* FROM (
      SELECT owner, least(sum(n)::bigint - $1::bigint, $2::bigint) AS many FROM ${schema}.counts
      WHERE state IN (3, 4, 5, 7) GROUP BY owner HAVING sum(n) > $1::bigint ORDER BY owner LIMIT $2::bigint
    ) AS rich
    CROSS JOIN LATERAL (
      SELECT of_state.* FROM unnest('{3, 4, 5, 7}'::smallint[]) AS ended (code)
      CROSS JOIN LATERAL (
        SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
        WHERE owner = rich.owner AND state = ended.code ORDER BY status_time, key LIMIT rich.many
      ) AS of_state
      ORDER BY status_time, key LIMIT rich.many
    ) AS oldest
    LIMIT $2::bigint`;
  return async (keep, limit) => (await query({ text, values: [keep, limit] })).map(rowToHeader);
}
