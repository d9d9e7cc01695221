import { isObject } from '@holdword/protocol/internal';
import type { OptionCheck } from '../basics/check-options.ts';
import { checkLimit, DEFAULT_CHARACTER_LIMIT } from './artifact-settings.ts';
import { fieldNamed } from './foreign-names.ts';
import { readableLength } from './json-length.ts';
import { selectByPath } from './json-path.ts';
import { countOf, formatCount, listNames } from './shorten.ts';

/** A row of a table. */
export type Row = Readonly<Record<string, unknown>>;

/** Options of `DataArtifacts.view`. */
export interface ViewDataOptions {
  /** Names separated by dots, for example `results.items`; `items[0]`, `items[*].name` and `["a.b"]` work as well. */
  jsonPath?: string | null | undefined;
  /** Rows of the selected list. Without it, all rows. */
  rows?: RowSelection | null | undefined;
  /** Columns of the selected list of objects. Without it, all columns. */
  columns?: ColumnSelection | null | undefined;
  /**
   * Whether a range such as "0-2" includes its end.
   * @default 'exclusive'
   */
  rowRangeEnd?: RowRangeEnd | undefined;
  /**
   * Maximum length of the selection as formatted JSON.
   * @default 50000
   */
  characterLimit?: number | undefined;
}

/** Selects data by path, rows and columns. Throws if the selection is empty or exceeds the limit. */
export function viewData(data: unknown, options: ViewDataOptions = {}): unknown {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  const { jsonPath, rows, columns, rowRangeEnd = 'exclusive' } = options;
  const found = jsonPath === null || jsonPath === undefined ? data : selectByPath(data, jsonPath);
  const selected =
    (rows ?? columns ?? undefined) === undefined ? found : selectInList(found, rows, columns, rowRangeEnd);
  if (readableLength(selected, limit) <= limit) return selected;
  throw new Error(
    `The selection exceeds the limit of ${formatCount(limit)} characters: it is ${describeSize(selected)}. ` +
      'Narrow it down with jsonPath, rows or columns.',
  );
}

function selectInList(
  value: unknown,
  rows: RowSelection | null | undefined,
  columns: ColumnSelection | null | undefined,
  rowRangeEnd: RowRangeEnd,
): unknown {
  if (!Array.isArray(value) || value.length === 0) {
    const found = Array.isArray(value) ? 'an empty list' : isObject(value) ? 'an object' : 'a single value';
    const hint = isObject(value)
      ? ` Select a list with jsonPath; the fields are ${listNames(Object.keys(value))}.`
      : '';
    throw new Error(`Rows and columns can only be selected from a non-empty list, found ${found}.${hint}`);
  }
  const list: readonly unknown[] = value;
  const selected = rows === null || rows === undefined ? list : selectRows(list, rows, rowRangeEnd);
  if (columns === null || columns === undefined) return selected;
  if (!list.every(isObject)) {
    throw new Error(
      'Columns can only be selected from a list of objects, found a list with other values. Omit columns.',
    );
  }
  return selectColumns(selected.filter(isObject), list, columns);
}

function describeSize(value: unknown): string {
  if (typeof value === 'string') return `a text of ${countOf(value.length, 'character')}`;
  if (Array.isArray(value)) return `a list of ${countOf(value.length, 'item')}`;
  return isObject(value) ? `an object with ${countOf(Object.keys(value).length, 'field')}` : 'a long value';
}

/** Rows by index (from the end if negative), by several indexes, or by a string such as "0", "0-10", "0,2,5" or "all". */
export type RowSelection = number | readonly number[] | string;

export const isRowSelection: OptionCheck = (value) =>
  typeof value === 'string' || [value].flat().every((row) => typeof row === 'number')
    ? undefined
    : 'a string such as "0-10", a number or a list of numbers';

/** Whether a range such as "0-2" includes its end. */
export type RowRangeEnd = 'exclusive' | 'inclusive';

const RANGE = /^(\d+)\s*-\s*(-?\d+)$/;
const NUMBER = /^-?\d+$/;

/** Returns the selected rows in the order of the selection. Throws if a row does not exist. */
function selectRows<Item>(rows: readonly Item[], selection: RowSelection, rangeEnd: RowRangeEnd): Item[] {
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
  const rows =
    total === 1
      ? 'there is 1 row, row 0.'
      : `there are ${total} rows, 0 to ${total - 1}, or -${total} to -1 from the end.`;
  return new Error(`Row ${row} is out of range: ${rows}`);
}

/** Columns by names, or by a string such as "name", "name,age" or "all". */
export type ColumnSelection = string | readonly string[];

export const isColumnSelection: OptionCheck = (value) =>
  [value].flat().every((name) => typeof name === 'string')
    ? undefined
    : 'a string such as "name,age", or a list of strings';

/** Returns the rows with only the selected columns, in the order of the selection. Throws if no row has such a column. */
export function selectColumns(
  rows: readonly Row[],
  available: readonly Row[],
  selection: ColumnSelection,
): Row[] {
  if (selection === 'all') return [...rows];
  const columns = columnsOf(available);
  const has = (name: string): boolean => columns.has(name);
  const wanted =
    typeof selection !== 'string' || fieldNamed(selection, has) !== undefined
      ? [selection].flat()
      : listOf(selection);
  const names = wanted.flatMap((name) => fieldNamed(name, has) ?? []);
  const missing = wanted.filter((name) => fieldNamed(name, has) === undefined);
  if (missing.length > 0) {
    throw new Error(
      `Column ${missing.map((name) => `"${name}"`).join(', ')} not found. The columns are ${listNames([...columns])}.`,
    );
  }
  return rows.map((row) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]])),
  );
}

function columnsOf(rows: readonly Row[]): Set<string> {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name in row) columns.add(name);
  }
  return columns;
}

function listOf(selection: string): string[] {
  return selection.split(',').map((name) => name.trim());
}
