import type { StoreReads } from '../backed-store.ts';
import {
  FIRST_POSITION,
  LAST_CODE_POINT,
  MOST_READ,
  toAllTasksPage,
  toCuttablePage,
  toPage,
} from '../pages.ts';
import type { TaskQuery } from '../port.ts';
import {
  ALL_STATE_CODES,
  ENDED,
  ENDED_STATE_CODES,
  indexConditionOf,
  integer,
  rowToCursor,
  rowToExcessCursor,
  rowToHeader,
  RUNNING,
  stateToCode,
  text as textIn,
  toDatabaseText,
} from '../sql/rows.ts';
import type { Query } from './journal-reads.ts';

/** The columns of `tasks` that `rowToHeader` needs. */
export const HEADER_COLUMNS = `
  key, id, owner, context_id, state, status_time, status, created_at, fence, first_sequence, last_sequence`;

/** The lists of tasks. A page costs its length, not the number of tasks: each list has an index in its order. */
export function prepareTaskLists(query: Query, schema: string) {
  return {
    listTasks: prepareListTasks(query, schema),
    listAllTasks: prepareListAllTasks(query, schema),
    readUsage: prepareReadUsage(query, schema),
    listOrphans: prepareListOrphans(query, schema),
    listEnded: prepareListEnded(query, schema),
    listExcess: prepareListExcess(query, schema),
  } satisfies Partial<StoreReads>;
}

/**
 * The index is in list order within each state, so it is read once per state unless the query filters by context. The total
 * is read from the counts per state, or counted on the index if the query filters by context or time. A single statement, so
 * that page and total come from the same snapshot.
 */
function prepareListTasks(query: Query, schema: string): StoreReads['listTasks'] {
  return async (taskQuery) => {
    const rows = await query(listTasksStatement(taskQuery, schema));
    // Even without tasks there is one row, for the total.
    const found = rows.filter((row) => row['id'] !== null);
    return {
      ...toCuttablePage(found, taskQuery.limit, rowToHeader, rowToCursor),
      totalSize: integer(rows[0] ?? {}, 'total'),
    };
  };
}

/** There is no index for completed tasks of all owners: most tasks are completed, so reading the newest finds them. */
function prepareListAllTasks(query: Query, schema: string): StoreReads['listAllTasks'] {
  const tasks = `${schema}.tasks`;
  const inRange = 'id >= $1 AND id < $2';
  return async ({ state, from = '', before = LAST_CODE_POINT, limit }) => {
    const values: unknown[] = [toDatabaseText(from), toDatabaseText(before), limit + 1];
    const condition = state === undefined ? 'true' : indexConditionOf(state);
    if (state !== undefined) values.push(stateToCode(state));
    if (condition !== undefined) {
      const ofState = state === undefined ? '' : ' AND state = $4';
      const rows = await query({
        text: `
          SELECT ${HEADER_COLUMNS} FROM ${tasks} WHERE ${condition}${ofState} AND ${inRange}
          ORDER BY id DESC LIMIT $3`,
        values,
      });
      return toAllTasksPage(rows.map(rowToHeader), limit);
    }
    const rows = await query({
      text: `
        WITH newest AS MATERIALIZED (
          SELECT * FROM ${tasks} WHERE ${inRange} ORDER BY id DESC LIMIT ${MOST_READ}
        ), reading AS (
          SELECT min(id) AS ended_at, count(*) AS read FROM newest
        )
        SELECT reading.*, page.* FROM reading LEFT JOIN (
          SELECT ${HEADER_COLUMNS} FROM newest WHERE state = $4 ORDER BY id DESC LIMIT $3
        ) AS page ON true ORDER BY id DESC`,
      values,
    });
    const [first = {}] = rows;
    // Even without tasks there is one row, for where reading ended.
    const found = rows.filter((row) => row['id'] !== null).map(rowToHeader);
    const isCut = integer(first, 'read') === MOST_READ;
    return toAllTasksPage(found, limit, isCut ? textIn(first, 'ended_at') : undefined);
  };
}

function prepareReadUsage(query: Query, schema: string): StoreReads['readUsage'] {
  const text = `
    SELECT coalesce(sum(n), 0)::bigint AS tasks, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM ${schema}.counts WHERE owner = $1`;
  return async (owner) => {
    const [row = {}] = await query({ name: 'read-usage', text, values: [toDatabaseText(owner)] });
    return { tasks: integer(row, 'tasks'), bytes: integer(row, 'bytes') };
  };
}

function listTasksStatement(query: TaskQuery, schema: string): { text: string; values: unknown[] } {
  const { owner, contextId, state, statusTimeFrom, cursor, limit } = query;
  const values: unknown[] = [];
  function parameter(value: unknown): string {
    values.push(value);
    return `$${values.length}`;
  }
  const ownerParameter = parameter(toDatabaseText(owner));
  const states = parameter(state === undefined ? ALL_STATE_CODES : [stateToCode(state)]);
  let filter = `owner = ${ownerParameter}`;
  if (contextId !== undefined) {
    const context = parameter(toDatabaseText(contextId));
    filter += ` AND hashtextextended(context_id, 0) = hashtextextended(${context}, 0) AND context_id = ${context}`;
  }
  if (statusTimeFrom !== undefined) filter += ` AND status_time >= ${parameter(statusTimeFrom)}::bigint`;
  const before =
    cursor === undefined
      ? ''
      : ` AND (status_time, key) < (${parameter(cursor.statusTime)}::bigint, ${parameter(cursor.tieBreak)}::bigint)`;
  const order = `ORDER BY status_time DESC, key DESC LIMIT ${parameter(limit + 1)}`;
  const anyState = `state = ANY (${states}::smallint[])`;

  const isCounted = contextId === undefined && statusTimeFrom === undefined;
  const total = isCounted
    ? `SELECT coalesce(sum(n), 0)::bigint AS total FROM ${schema}.counts WHERE ${filter} AND ${anyState}`
    : `SELECT count(*) AS total FROM ${schema}.tasks WHERE ${filter} AND ${anyState}`;
  const select = `SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks WHERE ${filter}${before}`;
  const page =
    contextId === undefined
      ? `SELECT of_state.* FROM unnest(${states}::smallint[]) AS wanted (code)
         CROSS JOIN LATERAL (${select} AND state = wanted.code ${order}) AS of_state ${order}`
      : `${select} AND ${anyState} ${order}`;
  return {
    text: `SELECT total, page.* FROM (${total}) AS counted LEFT JOIN (${page}) AS page ON true
           ORDER BY status_time DESC, key DESC`,
    values,
  };
}

/** Replicas that ask at once get the same tasks; the one that acquires the lease gets the task. */
function prepareListOrphans(query: Query, schema: string): StoreReads['listOrphans'] {
  const text = `
    SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
    WHERE ${RUNNING} AND NOT EXISTS (
      SELECT FROM ${schema}.holders
      WHERE holders.id = tasks.holder AND expires_at > ${schema}.now_milliseconds()
    )
    ORDER BY key LIMIT $1`;
  return async (limit) => (await query({ text, values: [limit] })).map(rowToHeader);
}

/** The index stores trimmed and untrimmed tasks separately: both parts are read in order and merged. */
function prepareListEnded(query: Query, schema: string): StoreReads['listEnded'] {
  const text = `
    SELECT of_part.* FROM unnest($1::boolean[]) AS wanted (part)
    CROSS JOIN LATERAL (
      SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks
      WHERE ${ENDED} AND trimmed = wanted.part AND status_time <= $2::bigint
        AND (status_time, key) > ($3::bigint, $4::bigint)
      ORDER BY status_time, key LIMIT $5
    ) AS of_part
    ORDER BY status_time, key LIMIT $5`;
  return async ({ until, untrimmed = false, cursor = FIRST_POSITION, limit }) => {
    const parts = untrimmed ? [false] : [false, true];
    const rows = await query({ text, values: [parts, until, cursor.statusTime, cursor.tieBreak, limit + 1] });
    return toPage(rows, limit, rowToHeader, rowToCursor);
  };
}

/**
 * The counts tell which owners have too many tasks, so only their tasks are read. They do not tell how many come after a
 * cursor: for the owner at the cursor these are counted, up to the number that matters. That owner may have none left, so the
 * query selects one owner more than tasks. Each owner gets a share of the page, and no more is read than the page needs. A
 * single statement, so that counts and tasks come from the same snapshot: another process may delete tasks meanwhile.
 */
function prepareListExcess(query: Query, schema: string): StoreReads['listExcess'] {
  const endedCodes = `unnest('{${ENDED_STATE_CODES.join(', ')}}'::smallint[]) AS ended (code)`;
  const text = `
    WITH rich AS (
      SELECT owner,
        CASE WHEN owner = $3 THEN (
          SELECT count(*) FROM ${endedCodes}
          CROSS JOIN LATERAL (
            SELECT FROM ${schema}.tasks
            WHERE owner = $3 AND state = ended.code AND (status_time, key) > ($4::bigint, $5::bigint)
            ORDER BY status_time, key LIMIT $1::bigint + $2::bigint
          ) AS beyond
        ) ELSE sum(n)::bigint END - $1::bigint AS excess,
        CASE WHEN owner = $3 THEN $4::bigint ELSE ${FIRST_POSITION.statusTime} END AS after_time,
        CASE WHEN owner = $3 THEN $5::bigint ELSE ${FIRST_POSITION.tieBreak} END AS after_key
      FROM ${schema}.counts WHERE ${ENDED} AND owner >= $3
      GROUP BY owner HAVING sum(n) > $1::bigint ORDER BY owner LIMIT $2::bigint + 1
    ), shares AS (
      SELECT *, greatest(0, least(excess, $2::bigint + excess - sum(excess) OVER (ORDER BY owner)))::bigint AS share
      FROM rich WHERE excess > 0
    )
    SELECT oldest.* FROM shares
    CROSS JOIN LATERAL (
      SELECT of_state.* FROM ${endedCodes}
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
    return toPage(rows, limit, rowToHeader, rowToExcessCursor);
  };
}
