import type { AllTasksPage, PageCursor, RecordPage, TaskHeader } from './port.ts';

/** Sorts before every task: where a list without a cursor starts. */
export const FIRST_POSITION: PageCursor = { statusTime: Number.MIN_SAFE_INTEGER, tieBreak: 0 };

/** Builds a page from rows queried with one more than the limit: an extra row means that there are more. */
export function toPage<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  toHeader: (row: Row) => TaskHeader,
  toCursor: (row: Row) => Cursor,
): { tasks: TaskHeader[]; nextCursor?: Cursor } {
  const tasks = rows.slice(0, limit).map(toHeader);
  const last = rows[limit - 1];
  return rows.length > limit && last !== undefined ? { tasks, nextCursor: toCursor(last) } : { tasks };
}

/** The same for a list whose pages a reader may end early. */
export function toCuttablePage<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  toHeader: (row: Row) => TaskHeader,
  toCursor: (row: Row) => Cursor,
): { tasks: TaskHeader[]; cursors: Cursor[]; nextCursor?: Cursor } {
  return { ...toPage(rows, limit, toHeader, toCursor), cursors: rows.slice(0, limit).map(toCursor) };
}

/** A list that has no index for its filter reads this many tasks for a page at most. */
export const MOST_READ = 2_000;

/** Builds a page of the tasks of all owners from one more than the limit, or from fewer if `endedAt` says where reading ended. */
export function toAllTasksPage(found: TaskHeader[], limit: number, endedAt?: string): AllTasksPage {
  const tasks = found.slice(0, limit);
  const nextCursor = found.length > limit ? tasks.at(-1)?.taskId : endedAt;
  return nextCursor === undefined ? { tasks } : { tasks, nextCursor };
}

/** A page of records as a range of keys, so that an index finds it no matter how many records the namespace has. */
export interface RecordRange {
  readonly lower: string;
  readonly lowerOperator: '>=' | '>';
  readonly upper: string;
  readonly upperOperator: '<=' | '<';
  readonly order: 'ASC' | 'DESC';
}

/** Sorts after every key: Unicode reserves its last code point for internal use. */
export const LAST_CODE_POINT = '\u{10ffff}';

export function recordRange(prefix = '', { after, descending = false }: RecordPage = {}): RecordRange {
  const range: RecordRange = {
    lower: prefix,
    lowerOperator: '>=',
    upper: `${prefix}${LAST_CODE_POINT}`,
    upperOperator: '<=',
    order: descending ? 'DESC' : 'ASC',
  };
  if (after?.startsWith(prefix) !== true) return range;
  return descending
    ? { ...range, upper: after, upperOperator: '<' }
    : { ...range, lower: after, lowerOperator: '>' };
}
