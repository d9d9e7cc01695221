import { prettyJsonLength } from './json-length.ts';
import { SlotPool } from './unique-counter.ts';
import { ValueSummary, type ValuesSummary } from './value-summary.ts';

/** One column of a table: a summary of its values, or the values themselves if they are shorter. */
export type ColumnSummary =
  | (ValuesSummary & { readonly name: string })
  | { readonly name: string; readonly values: readonly unknown[] };

export type Row = Readonly<Record<string, unknown>>;

/** Summarizes each column of a table; returns the rows themselves if they are shorter. */
export function summarizeTable(rows: readonly Row[]): readonly ColumnSummary[] | readonly Row[] {
  const columns = summarizeColumns(rows);
  const length = prettyJsonLength(columns);
  return prettyJsonLength(rows, length) < length ? rows : columns;
}

/** Summarizes columns in one pass over the rows. Missing cells are not counted. */
export function summarizeColumns(rows: readonly Row[]): ColumnSummary[] {
  const cells = rows.length * Object.keys(rows[0] ?? {}).length;
  const columns = new Columns(SlotPool.forValues(cells));
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
  readonly #pool: SlotPool;
  readonly #byName = new Map<string, ValueSummary>();
  readonly #byPosition: { name: string; column: ValueSummary }[] = [];

  constructor(pool: SlotPool) {
    this.#pool = pool;
  }

  at(position: number, name: string): ValueSummary {
    const before = this.#byPosition[position];
    if (before !== undefined && before.name === name) return before.column;
    let column = this.#byName.get(name);
    if (column === undefined) this.#byName.set(name, (column = new ValueSummary(this.#pool)));
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
