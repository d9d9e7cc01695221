import { isObject } from '@holdword/protocol/internal';
import { checkLimit, DEFAULT_CHARACTER_LIMIT } from '../artifact-settings.ts';
import { formatCount } from '../format-count.ts';
import { readableLength } from './json-length.ts';
import { selectByPath } from './json-path.ts';
import { selectColumns, type ColumnSelection } from './select-columns.ts';
import { selectRows, type RowRangeEnd, type RowSelection } from './select-rows.ts';

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
      ? ` Select a list with jsonPath; the fields are ${Object.keys(value).join(', ')}.`
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
  if (typeof value === 'string') return `a text of ${formatCount(value.length)} characters`;
  if (Array.isArray(value)) return `a list of ${formatCount(value.length)} items`;
  return isObject(value) ? `an object with ${formatCount(Object.keys(value).length)} fields` : 'a long value';
}
