import { isObject } from '@holdword/protocol/internal';
import { checkLimit, DEFAULT_CHARACTER_LIMIT } from '../artifact-settings.ts';
import { formatCount } from '../format-count.ts';
import { readableLength } from './json-length.ts';
import { selectByPath } from './json-path.ts';
import { selectColumns, type ColumnSelection } from './select-columns.ts';
import { selectRows, type RowRangeEnd, type RowSelection } from './select-rows.ts';

export interface ViewDataOptions {
  /** Names separated by dots, for example `results.items`; also `items[0]`, `items[*].name` and `["a.b"]`. */
  jsonPath?: string | null | undefined;
  rows?: RowSelection | null | undefined;
  columns?: ColumnSelection | null | undefined;
  /** Whether "0-2" includes row 2. It does not unless told so. */
  rowRangeEnd?: RowRangeEnd | undefined;
  characterLimit?: number | undefined;
}

/** A piece of data: first the path, then rows and columns. Throws when there is none, or when it exceeds the limit. */
export function viewData(data: unknown, options: ViewDataOptions = {}): unknown {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  const { jsonPath, rows, columns, rowRangeEnd = 'exclusive' } = options;
  const found = jsonPath === null || jsonPath === undefined ? data : selectByPath(data, jsonPath);
  const selected =
    (rows ?? columns ?? undefined) === undefined ? found : selectInList(found, rows, columns, rowRangeEnd);
  if (readableLength(selected, limit) <= limit) return selected;
  throw new Error(
    `The selection exceeds the limit of ${formatCount(limit)} characters: it is ${describeSize(selected)}. ` +
      'Choose less of it with jsonPath, rows or columns.',
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
      ? ` Name the list with jsonPath; there is ${Object.keys(value).join(', ')}.`
      : '';
    throw new Error(`Rows and columns can be chosen from a list with items, found ${found}.${hint}`);
  }
  const list: readonly unknown[] = value;
  const selected = rows === null || rows === undefined ? list : selectRows(list, rows, rowRangeEnd);
  if (columns === null || columns === undefined) return selected;
  if (!list.every(isObject)) {
    throw new Error(
      'Columns can be chosen from a list of objects, found a list with other values. Leave out columns.',
    );
  }
  return selectColumns(selected.filter(isObject), list, columns);
}

function describeSize(value: unknown): string {
  if (typeof value === 'string') return `a text of ${formatCount(value.length)} characters`;
  if (Array.isArray(value)) return `a list of ${formatCount(value.length)} items`;
  return isObject(value) ? `an object with ${formatCount(Object.keys(value).length)} fields` : 'a long value';
}
