import { endedPage } from '../../ended-page.ts';
import { FIRST_POSITION } from '../../first-position.ts';
import type { EndedPage, ExcessCursor, ExcessQuery } from '../../port.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToExcessCursor, rowToHeader } from './task-header.ts';

/**
 * The counts tell which owners have too many tasks, so only their tasks are read. They do not tell how many come after a
 * cursor: for the owner at the cursor these are counted, up to the number that matters. That owner may have none left, so the
 * query selects one owner more than tasks. Each owner gets a share of the page, and no more is read than the page needs. A
 * single statement, so that counts and tasks come from the same snapshot: another process may delete tasks meanwhile.
 */
export function prepareListExcess(
  query: Query,
  schema: string,
): (excessQuery: ExcessQuery) => Promise<EndedPage<ExcessCursor>> {
  const text = `
    WITH rich AS (
      SELECT owner,
        CASE WHEN owner = $3 THEN (
          SELECT count(*) FROM unnest('{3, 4, 5, 7}'::smallint[]) AS ended (code)
          CROSS JOIN LATERAL (
            SELECT FROM ${schema}.tasks
            WHERE owner = $3 AND state = ended.code AND (status_time, key) > ($4::bigint, $5::bigint)
            ORDER BY status_time, key LIMIT $1::bigint + $2::bigint
          ) AS beyond
        ) ELSE sum(n)::bigint END - $1::bigint AS excess,
        CASE WHEN owner = $3 THEN $4::bigint ELSE ${FIRST_POSITION.statusTime} END AS after_time,
        CASE WHEN owner = $3 THEN $5::bigint ELSE ${FIRST_POSITION.tieBreak} END AS after_key
      FROM ${schema}.counts WHERE state IN (3, 4, 5, 7) AND owner >= $3
      GROUP BY owner HAVING sum(n) > $1::bigint ORDER BY owner LIMIT $2::bigint + 1
    ), shares AS (
      SELECT *, greatest(0, least(excess, $2::bigint + excess - sum(excess) OVER (ORDER BY owner)))::bigint AS share
      FROM rich WHERE excess > 0
    )
    SELECT oldest.* FROM shares
    CROSS JOIN LATERAL (
      SELECT of_state.* FROM unnest('{3, 4, 5, 7}'::smallint[]) AS ended (code)
      CROSS JOIN LATERAL (
        SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
        WHERE owner = shares.owner AND state = ended.code
          AND (status_time, key) > (shares.after_time, shares.after_key)
        ORDER BY status_time, key LIMIT shares.share
      ) AS of_state
      ORDER BY status_time, key LIMIT shares.share
    ) AS oldest
    ORDER BY owner, status_time, key`;
  return async ({ keep, cursor = { owner: '', ...FIRST_POSITION }, limit }) => {
    const { owner, statusTime, tieBreak } = cursor;
    const rows = await query({
      text,
      values: [keep, limit + 1, toDatabaseText(owner), statusTime, tieBreak],
    });
    return endedPage(rows, limit, rowToHeader, rowToExcessCursor);
  };
}
