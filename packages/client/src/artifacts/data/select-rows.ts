/** Rows by index (from the end if negative), by several indexes, or by a string such as "0", "0-10", "0,2,5" or "all". */
export type RowSelection = number | readonly number[] | string;

/** Whether a range such as "0-2" includes its end. */
export type RowRangeEnd = 'exclusive' | 'inclusive';

const RANGE = /^(\d+)\s*-\s*(-?\d+)$/;
const NUMBER = /^-?\d+$/;

/** Returns the selected rows in the order of the selection. Throws if a row does not exist. */
export function selectRows<Row>(rows: readonly Row[], selection: RowSelection, rangeEnd: RowRangeEnd): Row[] {
  return spansOf(selection, rangeEnd, rows.length).flatMap(([start, end]) => rows.slice(start, end));
}

type Span = readonly [start: number, end: number];

function spansOf(selection: RowSelection, rangeEnd: RowRangeEnd, total: number): Span[] {
  if (typeof selection === 'number') return [oneRow(selection, total)];
  if (typeof selection !== 'string') return selection.map((row) => oneRow(row, total));
  if (selection.trim() === 'all') return [[0, total]];
  return selection.split(',').map((piece) => {
    const text = piece.trim();
    const [, start, end] = RANGE.exec(text) ?? [];
    if (start !== undefined && end !== undefined) return rangeOf(Number(start), Number(end), rangeEnd, total);
    if (NUMBER.test(text)) return oneRow(Number(text), total);
    throw new Error(
      `Invalid row selection "${selection}". Use "all", an index, a range, or several of them, for example "0", "0-10" ` +
        'or "0,2,5".',
    );
  });
}

function oneRow(row: number, total: number): Span {
  const index = row < 0 ? total + row : row;
  if (!Number.isInteger(row) || index < 0 || index >= total) throw outOfRange(row, total);
  return [index, index + 1];
}

/** An end beyond the last row is clamped, so that a range of ten rows of a short table returns all of them. */
function rangeOf(start: number, end: number, rangeEnd: RowRangeEnd, total: number): Span {
  if (start >= total) throw outOfRange(start, total);
  const last = end < 0 ? total + end : end;
  if (start > last) throw new Error(`Invalid row range: its start ${start} is greater than its end ${end}.`);
  return [start, Math.min(total, rangeEnd === 'inclusive' ? last + 1 : last)];
}

function outOfRange(row: number, total: number): Error {
  return new Error(
    `Row ${row} is out of range: there are ${total} rows, 0 to ${total - 1}, or -${total} to -1 from the end.`,
  );
}
