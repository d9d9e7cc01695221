import type { EndedPage, TaskHeader } from './port.ts';

/** Builds a page from rows queried with one more than the limit: an extra row means that there are more. */
export function endedPage<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  toHeader: (row: Row) => TaskHeader,
  toCursor: (row: Row) => Cursor,
): EndedPage<Cursor> {
  const page: EndedPage<Cursor> = { tasks: rows.slice(0, limit).map(toHeader) };
  const last = rows[limit - 1];
  if (rows.length > limit && last !== undefined) page.nextCursor = toCursor(last);
  return page;
}
