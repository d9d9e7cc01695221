import { prettyJsonLength } from './json-length.ts';
import { FINGERPRINT_SLOTS } from './summarize-values.ts';
import { SlotPool } from './unique-counter.ts';
import { ValueSummary, type ValuesSummary } from './value-summary.ts';

/** One column of a table: what its values are, or the values themselves where that is shorter. */
export type ColumnSummary =
  | (ValuesSummary & { readonly name: string })
  | { readonly name: string; readonly values: readonly unknown[] };

export type Row = Readonly<Record<string, unknown>>;

/** What each column of a table holds; the rows themselves where that is shorter. */
export function summarizeTable(rows: readonly Row[]): readonly ColumnSummary[] | readonly Row[] {
  const columns = summarizeColumns(rows);
  const length = prettyJsonLength(columns);
  return prettyJsonLength(rows, length) < length ? rows : columns;
}

/** In one pass over the rows. A cell that a row does not have counts nowhere. */
export function summarizeColumns(rows: readonly Row[]): ColumnSummary[] {
  const pool = new SlotPool(FINGERPRINT_SLOTS);
  const columns = new Map<string, ValueSummary>();
  for (const row of rows) {
    for (const name in row) {
      if (!Object.hasOwn(row, name)) continue;
      const value = row[name];
      if (value === undefined) continue;
      let column = columns.get(name);
      if (column === undefined) columns.set(name, (column = new ValueSummary(pool)));
      column.add(value);
    }
  }
  return Array.from(columns, ([name, column]) => {
    const summary = { ...column.summary(), name };
    const values = column.valuesIfShorter(summary);
    return values === undefined ? summary : { name, values };
  });
}
