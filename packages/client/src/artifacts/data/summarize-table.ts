import { prettyJsonLength } from './json-length.ts';
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
  const cells = rows.length * Object.keys(rows[0] ?? {}).length;
  const columns = new Columns(SlotPool.forValues(cells));
  for (const row of rows) {
    let place = 0;
    for (const name in row) {
      const value = row[name];
      if (value !== undefined) columns.at(place, name).add(value);
      place += 1;
    }
  }
  return columns.describe();
}

/** The columns by name, and by where they were in the row before: rows of one table are mostly alike. */
class Columns {
  readonly #pool: SlotPool;
  readonly #byName = new Map<string, ValueSummary>();
  readonly #places: { name: string; column: ValueSummary }[] = [];

  constructor(pool: SlotPool) {
    this.#pool = pool;
  }

  at(place: number, name: string): ValueSummary {
    const before = this.#places[place];
    if (before !== undefined && before.name === name) return before.column;
    let column = this.#byName.get(name);
    if (column === undefined) this.#byName.set(name, (column = new ValueSummary(this.#pool)));
    this.#places[place] = { name, column };
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
