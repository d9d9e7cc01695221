import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { steadyNow } from '@holdword/protocol/internal';
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
  ENDED,
  indexConditionOf,
  integer,
  type Row,
  rowToCursor,
  rowToExcessCursor,
  rowToHeader,
  RUNNING,
  stateToCode,
  storedText,
  text,
  toDatabaseText,
  UNUSUAL,
} from '../sql/rows.ts';

/** The columns of `tasks` that `rowToHeader` needs. The first and last sequence numbers cost one seek each. */
export const HEADER_COLUMNS = `
  key, id, owner, context_id, state, status_time, status, created_at, fence,
  (SELECT first_sequence FROM journal
    WHERE position BETWEEN key << 32 AND (key << 32) + 4294967295 ORDER BY position LIMIT 1) AS first_sequence,
  (SELECT max(position) & 4294967295 FROM journal
    WHERE position BETWEEN key << 32 AND (key << 32) + 4294967295) AS last_sequence`;

/** The lists of tasks. A page costs its length, not the number of tasks: each list has an index in its order. */
export function prepareTaskLists(database: DatabaseSync) {
  return {
    listTasks: prepareListTasks(database),
    listAllTasks: prepareListAllTasks(database),
    readUsage: prepareReadUsage(database),
    listOrphans: prepareListOrphans(database),
    listEnded: prepareListEnded(database),
    listExcess: prepareListExcess(database),
  } satisfies Partial<StoreReads>;
}

/** The total is read from the counts per state, or counted on the index if the query filters by context or time. */
function prepareListTasks(database: DatabaseSync) {
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

  return (query: TaskQuery) => {
    const filter = filterOf(query);
    const { cursor } = query;
    const from = `SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY ${filter.index} WHERE ${filter.conditions}`;
    const order = 'ORDER BY status_time DESC, key DESC LIMIT ?';
    const found =
      cursor === undefined
        ? statement(`${from} ${order}`).iterate(...filter.values, query.limit + 1)
        : statement(`${from} AND (status_time, key) < (?, ?) ${order}`).iterate(
            ...filter.values,
            cursor.statusTime,
            cursor.tieBreak,
            query.limit + 1,
          );
    const { rows, isCut } = enoughOf(found, query.enoughCharacters);
    return {
      ...toCuttablePage(rows, isCut ? rows.length - 1 : query.limit, rowToHeader, rowToCursor),
      totalSize: totalSize(query, filter),
    };
  };
}

/**
 * The rows, or if they are long the first of them, because nothing else runs on this thread while they are read: at least two, of
 * which the last is not part of the page.
 */
function enoughOf(found: Iterable<Row>, enough = Infinity): { rows: Row[]; isCut: boolean } {
  const rows: Row[] = [];
  let characters = 0;
  for (const row of found) {
    rows.push(row);
    characters += storedText(row, 'status').length;
    if (characters >= enough && rows.length > 1) return { rows, isCut: true };
  }
  return { rows, isCut: false };
}

/** There is no index for completed tasks of all owners: most tasks are completed, so reading the newest finds them. */
function prepareListAllTasks(database: DatabaseSync): StoreReads['listAllTasks'] {
  const range = 'id >= ? AND id < ? ORDER BY id DESC LIMIT ?';
  const select = database.prepare(`SELECT ${HEADER_COLUMNS} FROM tasks WHERE ${range}`);
  const inState = new Map(
    [RUNNING, UNUSUAL].map((condition) => {
      const index = condition === UNUSUAL ? 'tasks_unusual' : 'tasks_running';
      const from = `FROM tasks INDEXED BY ${index} WHERE ${condition} AND state = ?`;
      return [condition, database.prepare(`SELECT ${HEADER_COLUMNS} ${from} AND ${range}`)];
    }),
  );
  const states = database.prepare(`SELECT key, id, state FROM tasks WHERE ${range}`);
  const selectByKey = database.prepare(`SELECT ${HEADER_COLUMNS} FROM tasks WHERE key = ?`);
  return ({ state, from = '', before = LAST_CODE_POINT, limit }) => {
    const ids = [toDatabaseText(from), toDatabaseText(before)];
    if (state === undefined) return toAllTasksPage(select.all(...ids, limit + 1).map(rowToHeader), limit);
    const code = stateToCode(state);
    const indexed = inState.get(indexConditionOf(state) ?? '');
    if (indexed !== undefined)
      return toAllTasksPage(indexed.all(code, ...ids, limit + 1).map(rowToHeader), limit);
    const found: Row[] = [];
    let last: Row | undefined;
    let read = 0;
    for (const row of states.iterate(...ids, MOST_READ)) {
      read += 1;
      last = row;
      if (integer(row, 'state') === code) found.push(row);
      if (found.length > limit) break;
    }
    const headers = found.map((row) => rowToHeader(selectByKey.get(integer(row, 'key')) ?? {}));
    return toAllTasksPage(headers, limit, read === MOST_READ && last ? text(last, 'id') : undefined);
  };
}

function prepareReadUsage(database: DatabaseSync): StoreReads['readUsage'] {
  const select = database.prepare(
    'SELECT coalesce(sum(n), 0) AS tasks, coalesce(sum(bytes), 0) AS bytes FROM counts WHERE owner = ?',
  );
  return (owner) => {
    const row = select.get(toDatabaseText(owner)) ?? {};
    return { tasks: integer(row, 'tasks'), bytes: integer(row, 'bytes') };
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

function prepareListOrphans(database: DatabaseSync): StoreReads['listOrphans'] {
  const select = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_running
    WHERE ${RUNNING}
      AND (holder IS NULL OR holder NOT IN (SELECT id FROM holders WHERE expires_at > ?))
    ORDER BY key LIMIT ?`);
  return (limit) => select.all(steadyNow(), limit).map(rowToHeader);
}

/** The index stores trimmed and untrimmed tasks separately: both parts are read in order and merged. */
function prepareListEnded(database: DatabaseSync): StoreReads['listEnded'] {
  const select = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_ended
    WHERE ${ENDED} AND trimmed = ? AND status_time <= ? AND (status_time, key) > (?, ?)
    ORDER BY status_time, key LIMIT ?`);
  return ({ until, untrimmed = false, cursor = FIRST_POSITION, limit }) => {
    const rows = (untrimmed ? [0] : [0, 1])
      .flatMap((part) => select.all(part, until, cursor.statusTime, cursor.tieBreak, limit + 1) as Row[])
      .toSorted(byPosition);
    return toPage(rows, limit, rowToHeader, rowToCursor);
  };
}

function byPosition(one: Row, other: Row): number {
  return (
    integer(one, 'status_time') - integer(other, 'status_time') || integer(one, 'key') - integer(other, 'key')
  );
}

/**
 * The counts tell which owners have too many tasks, so only their tasks are read. They do not tell how many come after a
 * cursor: for the owner at the cursor these are counted, up to the number that matters.
 */
function prepareListExcess(database: DatabaseSync): StoreReads['listExcess'] {
  const owners = database.prepare(`
    SELECT owner, sum(n) AS ended FROM counts WHERE ${ENDED} AND owner >= ?
    GROUP BY owner HAVING sum(n) > ? ORDER BY owner LIMIT ?`);
  const countBeyond = database.prepare(`
    SELECT count(*) AS ended FROM (
      SELECT 1 FROM tasks INDEXED BY tasks_by_state
      WHERE owner = ? AND ${ENDED} AND (status_time, key) > (?, ?) LIMIT ?)`);
  const oldest = database.prepare(`
    SELECT ${HEADER_COLUMNS} FROM tasks INDEXED BY tasks_by_owner
    WHERE owner = ? AND ${ENDED} AND (status_time, key) > (?, ?)
    ORDER BY status_time, key LIMIT ?`);
  return ({ keep, cursor, limit }) => {
    const wanted = limit + 1;
    const cursorOwner = cursor && toDatabaseText(cursor.owner);
    const found: Row[] = [];
    // One owner more than tasks, because the owner at the cursor may have none left.
    for (const row of owners.all(cursorOwner ?? '', keep, wanted + 1)) {
      const owner = storedText(row, 'owner');
      const isAtCursor = owner === cursorOwner;
      const { statusTime, tieBreak } = isAtCursor && cursor ? cursor : FIRST_POSITION;
      const counted = isAtCursor ? countBeyond.get(owner, statusTime, tieBreak, keep + wanted) : row;
      const many = Math.min(integer(counted ?? {}, 'ended') - keep, wanted - found.length);
      if (many > 0) found.push(...oldest.all(owner, statusTime, tieBreak, many));
      if (found.length === wanted) break;
    }
    return toPage(found, limit, rowToHeader, rowToExcessCursor);
  };
}
