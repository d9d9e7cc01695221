import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { toDatabaseText } from '../../database-text.ts';
import type { TaskHeaderPage, TaskQuery } from '../../port.ts';
import { integer } from '../../columns.ts';
import { stateToCode } from '../../state-codes.ts';
import { HEADER_COLUMNS, rowToCursor, rowToHeader } from './task-header.ts';

/**
 * A page costs its length, not the number of tasks: each filter has an index in list order. The total is read from the
 * counts per state, or counted on the index if the query filters by context or time.
 */
export function prepareListTasks(database: DatabaseSync): (query: TaskQuery) => TaskHeaderPage {
  const statements = new Map<string, StatementSync>();
  function statement(sql: string): StatementSync {
    let prepared = statements.get(sql);
    if (prepared === undefined) statements.set(sql, (prepared = database.prepare(sql)));
    return prepared;
  }

  function totalSize(query: TaskQuery, filter: Filter): number {
    const isCounted = query.contextId === undefined && query.statusTimeFrom === undefined;
    const sql = isCounted
      ? `SELECT coalesce(sum(n), 0) AS total FROM counts WHERE ${filter.conditions}`
      : `SELECT count(*) AS total FROM tasks INDEXED BY ${filter.index} WHERE ${filter.conditions}`;
    return integer(statement(sql).get(...filter.values) ?? {}, 'total');
  }

  return (query) => {
    const filter = filterOf(query);
    const { cursor } = query;
    const from = `SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY ${filter.index} WHERE ${filter.conditions}`;
    const order = 'ORDER BY status_time DESC, key DESC LIMIT ?';
    const rows =
      cursor === undefined
        ? statement(`${from} ${order}`).all(...filter.values, query.limit + 1)
        : statement(`${from} AND (status_time, key) < (?, ?) ${order}`).all(
            ...filter.values,
            cursor.statusTime,
            cursor.tieBreak,
            query.limit + 1,
          );
    const shown = rows.slice(0, query.limit);
    const page: TaskHeaderPage = { tasks: shown.map(rowToHeader), totalSize: totalSize(query, filter) };
    const last = shown.at(-1);
    if (rows.length > query.limit && last !== undefined) page.nextCursor = rowToCursor(last);
    return page;
  };
}

interface Filter {
  index: string;
  conditions: string;
  values: SQLInputValue[];
}

function filterOf(query: TaskQuery): Filter {
  const filter: Filter = {
    index: 'tasks_by_owner',
    conditions: 'owner = ?',
    values: [toDatabaseText(query.owner)],
  };
  if (query.state !== undefined) {
    filter.index = 'tasks_by_state';
    filter.conditions += ' AND state = ?';
    filter.values.push(stateToCode(query.state));
  }
  if (query.contextId !== undefined) {
    filter.index = 'tasks_by_context';
    filter.conditions += ' AND context_id = ?';
    filter.values.push(toDatabaseText(query.contextId));
  }
  if (query.statusTimeFrom !== undefined) {
    filter.conditions += ' AND status_time >= ?';
    filter.values.push(query.statusTimeFrom);
  }
  return filter;
}
