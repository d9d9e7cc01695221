import { isObject } from '@holdword/protocol/internal';
import {
  checkArgument,
  checkOptions,
  isAnything,
  isList,
  isText,
  type OptionCheck,
  orNull,
} from '../basics/check-options.ts';
import { checkLimit, DEFAULT_CHARACTER_LIMIT, DEFAULT_OBJECT_STRING_LENGTH } from './artifact-settings.ts';
import { prettyJsonLength, readableLength } from './json-length.ts';
import { withForeignNames } from './foreign-names.ts';
import { childPath } from './json-path.ts';
import { shortenText } from './shorten.ts';
import { minimizeText, withTip } from './text-artifacts.ts';
import { type ValuesSummary, ValueSummary } from './value-summary.ts';
import { isColumnSelection, isRowSelection, type Row, viewData, type ViewDataOptions } from './view-data.ts';

/**
 * Views, minimizes and summarizes structured data for a model.
 *
 * @example
 * ```ts
 * import { DataArtifacts } from '@holdword/client';
 *
 * const data = {
 *   employees: [
 *     { name: 'Alice', department: 'Engineering', level: 5 },
 *     { name: 'Bob', department: 'Design', level: 3 },
 *     { name: 'Carol', department: 'Engineering', level: 4 },
 *   ],
 * };
 * DataArtifacts.view(data, { jsonPath: 'employees', rows: '0-2', columns: ['name', 'department'] });
 * // [{ name: 'Alice', department: 'Engineering' }, { name: 'Bob', department: 'Design' }]
 * DataArtifacts.minimize(data); // { data }, because it is small
 * ```
 */
export const DataArtifacts = {
  /**
   * Returns a selection of the data: first by path, then by rows and columns. Names in the data that start with `_` are shown as
   * `agent:_…`, because models take such names for those of the client.
   *
   * @throws Error if the path, a row or a column does not exist, or if the selection exceeds the character limit; TypeError
   *   if an option is unknown.
   */
  view(data: unknown, options: ViewDataOptions = {}): unknown {
    checkOptions('DataArtifacts.view(data, options)', options, {
      jsonPath: orNull(isText),
      rows: orNull(isRowSelection),
      columns: orNull(isColumnSelection),
      rowRangeEnd: (value) =>
        value === 'exclusive' || value === 'inclusive' ? undefined : "'exclusive' or 'inclusive'",
      characterLimit: isAnything,
    } satisfies Record<keyof ViewDataOptions, OptionCheck>);
    return viewData(withForeignNames(data), options);
  },

  /**
   * Returns data within the limit as `{data}`, with the same names as `view`; summarizes larger tables and lists, and truncates long strings in objects.
   *
   * @throws Error if a limit is invalid, TypeError if an option is unknown.
   */
  minimize(data: unknown, options: MinimizeDataOptions = {}): Record<string, unknown> {
    checkOptions('DataArtifacts.minimize(data, options)', options, {
      characterLimit: isAnything,
      minimizedObjectStringLength: isAnything,
      tip: orNull(isText),
    } satisfies Record<keyof MinimizeDataOptions, OptionCheck>);
    return minimizeData(withForeignNames(data), options);
  },

  /** Returns one summary per column with counts and statistics, or the rows themselves if they are shorter. */
  summarizeTable(data: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
    checkArgument('DataArtifacts.summarizeTable(data)', 'data', data, isList);
    return summarizeTable(data).map((column) => ({ ...column }));
  },

  /** Returns counts and statistics of a list of values, or the list itself if it is shorter. */
  summarizeValues(values: readonly unknown[]): Record<string, unknown> | unknown[] {
    checkArgument('DataArtifacts.summarizeValues(values)', 'values', values, isList);
    const summary = summarizeValues(values);
    return 'types' in summary ? { ...summary } : [...summary];
  },
} as const;

/** Options of `DataArtifacts.minimize`. */
export interface MinimizeDataOptions {
  /**
   * Data with more characters than this is minimized.
   * @default 50000
   */
  characterLimit?: number | undefined;
  /**
   * Maximum length of string values in minimized objects.
   * @default 5000
   */
  minimizedObjectStringLength?: number | undefined;
  /** Added as `_tip` if the data was minimized. */
  tip?: string | null | undefined;
}

const MAX_DEPTH = 10;

/** Returns data within the limit as `{data}`, unchanged; summarizes larger data. */
function minimizeData(data: unknown, options: MinimizeDataOptions = {}): Record<string, unknown> {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  return readableLength(data, limit) <= limit ? { data } : condenseData(data, options);
}

/** Summarizes data of any size if that makes it shorter; otherwise returns `{data}`, unchanged. */
export function condenseData(data: unknown, options: MinimizeDataOptions = {}): Record<string, unknown> {
  const { tip, characterLimit, minimizedObjectStringLength = DEFAULT_OBJECT_STRING_LENGTH } = options;
  checkLimit('minimizedObjectStringLength', minimizedObjectStringLength);
  if (typeof data === 'string') return { ...minimizeText(data, { characterLimit, tip }) };
  if (typeof data !== 'object' || data === null) return { data };
  const condensed = Array.isArray(data)
    ? describeList(data)
    : condenseValue(data, minimizedObjectStringLength, '', 0);
  return isObject(condensed) && condensed !== data
    ? { data: shorterOf(withTip(condensed, tip), data) }
    : { data };
}

/** Lists of objects are tables; a list that is empty or shorter than its description is unchanged. */
function describeList(list: readonly unknown[], path?: string): unknown {
  if (list.length === 0) return list;
  const location = path === undefined ? {} : { _json_path: path };
  const description = list.every(isObject)
    ? { _total_rows: list.length, _columns: summarizeColumns(list), ...location }
    : { _total_items: list.length, _summary: summarizeValues(list), ...location };
  return shorterOf(description, list);
}

/** Returns the same value if there is nothing to shorten. */
function condenseValue(value: unknown, stringLength: number, path: string, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value, stringLength);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '...';
  if (Array.isArray(value)) return describeList(value, path);
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const condensed = condenseValue(item, stringLength, childPath(path, key), depth + 1);
    if (condensed !== item) changed = true;
    return [key, condensed];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function shorterOf(condensed: object, original: object): object {
  const length = prettyJsonLength(condensed);
  return prettyJsonLength(original, length) < length ? original : condensed;
}

/** One column of a table: a summary of its values, or the values themselves if they are shorter. */
type ColumnSummary =
  | (ValuesSummary & { readonly name: string })
  | { readonly name: string; readonly values: readonly unknown[] };

/** Summarizes each column of a table; returns the rows themselves if they are shorter. */
function summarizeTable(rows: readonly Row[]): readonly ColumnSummary[] | readonly Row[] {
  const columns = summarizeColumns(rows);
  const length = prettyJsonLength(columns);
  return prettyJsonLength(rows, length) < length ? rows : columns;
}

/** Summarizes columns in one pass over the rows. Missing cells are not counted. */
function summarizeColumns(rows: readonly Row[]): ColumnSummary[] {
  const columns = new Columns();
  for (const row of rows) {
    let position = 0;
    for (const name in row) {
      const value = row[name];
      if (value !== undefined) columns.at(position, name).add(value);
      position += 1;
    }
  }
  return columns.describe();
}

/** The columns by name, and by their position in the previous row: rows of a table mostly have the same shape. */
class Columns {
  readonly #byName = new Map<string, ValueSummary>();
  readonly #byPosition: { name: string; column: ValueSummary }[] = [];

  at(position: number, name: string): ValueSummary {
    const before = this.#byPosition[position];
    if (before !== undefined && before.name === name) return before.column;
    let column = this.#byName.get(name);
    if (column === undefined) this.#byName.set(name, (column = new ValueSummary()));
    this.#byPosition[position] = { name, column };
    return column;
  }

  describe(): ColumnSummary[] {
    return Array.from(this.#byName, ([name, column]) => {
      const summary = { ...column.summary(), name };
      const values = column.valuesIfShorter(summary);
      return values === undefined ? summary : { name, values };
    });
  }
}

/** Summarizes a list of values; returns the list itself if it is shorter. */
function summarizeValues(values: readonly unknown[]): ValuesSummary | readonly unknown[] {
  const summary = new ValueSummary();
  for (const value of values) summary.add(value);
  const summarized = summary.summary();
  return values.length > 0 && summary.valuesIfShorter(summarized) !== undefined ? values : summarized;
}
