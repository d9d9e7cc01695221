import { minimizeData, type MinimizeDataOptions } from './data/minimize-data.ts';
import { summarizeTable } from './data/summarize-table.ts';
import { summarizeValues } from './data/summarize-values.ts';
import { viewData, type ViewDataOptions } from './data/view-data.ts';

/** Shows large data to models. */
export const DataArtifacts = {
  /** A piece of the data: by path, then by rows and columns. Throws over the limit. */
  view(data: unknown, options?: ViewDataOptions): unknown {
    return viewData(data, options);
  },

  /** The data as `{data}`, or what it holds: tables by column, lists by type, objects with long strings cut. */
  minimize(data: unknown, options?: MinimizeDataOptions): Record<string, unknown> {
    return minimizeData(data, options);
  },

  /** One entry for each column, with counts and statistics; the rows where they are shorter. */
  summarizeTable(data: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
    return summarizeTable(data).map((column) => ({ ...column }));
  },

  /** Counts and statistics of a list; the list where it is shorter. */
  summarizeValues(values: readonly unknown[]): Record<string, unknown> | unknown[] {
    const summary = summarizeValues(values);
    return 'types' in summary ? { ...summary } : [...summary];
  },
} as const;
