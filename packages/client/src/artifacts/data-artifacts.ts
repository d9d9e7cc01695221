import { minimizeData, type MinimizeDataOptions } from './data/minimize-data.ts';
import { summarizeTable } from './data/summarize-table.ts';
import { summarizeValues } from './data/summarize-values.ts';
import { viewData, type ViewDataOptions } from './data/view-data.ts';

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
   * Returns a selection of the data: first by path, then by rows and columns.
   *
   * @throws Error if the path, a row or a column does not exist, or if the selection exceeds the character limit.
   */
  view(data: unknown, options?: ViewDataOptions): unknown {
    return viewData(data, options);
  },

  /** Returns data within the limit as `{data}`; summarizes larger tables and lists, and truncates long strings in objects. */
  minimize(data: unknown, options?: MinimizeDataOptions): Record<string, unknown> {
    return minimizeData(data, options);
  },

  /** Returns one summary per column with counts and statistics, or the rows themselves if they are shorter. */
  summarizeTable(data: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
    return summarizeTable(data).map((column) => ({ ...column }));
  },

  /** Returns counts and statistics of a list of values, or the list itself if it is shorter. */
  summarizeValues(values: readonly unknown[]): Record<string, unknown> | unknown[] {
    const summary = summarizeValues(values);
    return 'types' in summary ? { ...summary } : [...summary];
  },
} as const;
