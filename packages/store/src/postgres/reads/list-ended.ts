import { endedPage } from '../../ended-page.ts';
import { FIRST_POSITION } from '../../first-position.ts';
import type { EndedPage, EndedQuery, PageCursor } from '../../port.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToCursor, rowToHeader } from './task-header.ts';

/** The index stores trimmed and untrimmed tasks separately: both parts are read in order and merged. */
export function prepareListEnded(
  query: Query,
  schema: string,
): (endedQuery: EndedQuery) => Promise<EndedPage<PageCursor>> {
  const text = `
    SELECT of_part.* FROM unnest($1::boolean[]) AS wanted (part)
    CROSS JOIN LATERAL (
      SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
      WHERE state IN (3, 4, 5, 7) AND trimmed = wanted.part AND status_time <= $2::bigint
        AND (status_time, key) > ($3::bigint, $4::bigint)
      ORDER BY status_time, key LIMIT $5
    ) AS of_part
    ORDER BY status_time, key LIMIT $5`;
  return async ({ until, untrimmed = false, cursor = FIRST_POSITION, limit }) => {
    const parts = untrimmed ? [false] : [false, true];
    const rows = await query({ text, values: [parts, until, cursor.statusTime, cursor.tieBreak, limit + 1] });
    return endedPage(rows, limit, rowToHeader, rowToCursor);
  };
}
