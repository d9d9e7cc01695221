import type { TaskHeaderPage, TaskQuery } from '../../port.ts';
import { ALL_STATE_CODES, stateToCode } from '../../state-codes.ts';
import { integer } from '../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';
import { HEADER_COLUMNS, rowToCursor, rowToHeader } from './task-header.ts';

/**
 * A page costs its length, not the number of tasks: it is read from an index in list order, once per state unless the query
 * filters by context. The total is read from the counts per state, or counted on the index if the query filters by context
 * or time. A single statement, so that page and total come from the same snapshot.
 */
export function prepareListTasks(
  query: Query,
  schema: string,
): (taskQuery: TaskQuery) => Promise<TaskHeaderPage> {
  return async (taskQuery) => {
    const { limit } = taskQuery;
    const { text, values } = toStatement(taskQuery, schema);
    const rows = await query({ text, values });
    // Even without tasks there is one row, for the total.
    const found = rows.filter((row) => row['id'] !== null);
    const shown = found.slice(0, limit);
    const page: TaskHeaderPage = {
      tasks: shown.map(rowToHeader),
      totalSize: integer(rows[0] ?? {}, 'total'),
    };
    const last = shown.at(-1);
    if (found.length > limit && last !== undefined) page.nextCursor = rowToCursor(last);
    return page;
  };
}

function toStatement(query: TaskQuery, schema: string): { text: string; values: unknown[] } {
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
