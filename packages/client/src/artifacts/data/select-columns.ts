import type { Row } from './summarize-table.ts';

/** Columns by names, or by a string such as "name", "name,age" or "all". */
export type ColumnSelection = string | readonly string[];

/** Returns the rows with only the selected columns, in the order of the selection. Throws if no row has such a column. */
export function selectColumns(
  rows: readonly Row[],
  available: readonly Row[],
  selection: ColumnSelection,
): Row[] {
  if (selection === 'all') return [...rows];
  const columns = columnsOf(available);
  const names =
    typeof selection !== 'string' || columns.has(selection) ? [selection].flat() : listOf(selection);
  const missing = names.filter((name) => !columns.has(name));
  if (missing.length > 0) {
    throw new Error(
      `Column ${missing.map((name) => `"${name}"`).join(', ')} not found. The columns are ${[...columns].join(', ')}.`,
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
