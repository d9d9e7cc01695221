import { endedPage } from '../../ended-page.ts';
import { FIRST_PLACE } from '../../first-place.ts';
import type { EndedPage, EndedQuery, PageCursor } from '../../port.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToCursor, rowToHeader } from './task-header.ts';

/** Trimmed tasks and others lie apart in the index: each part is read in order, and the older of both come first. */
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
  return async ({ until, untrimmed = false, cursor = FIRST_PLACE, limit }) => {
    const parts = untrimmed ? [false] : [false, true];
    const rows = await query({ text, values: [parts, until, cursor.statusTime, cursor.tieBreak, limit + 1] });
    return endedPage(rows, limit, rowToHeader, rowToCursor);
  };
}
