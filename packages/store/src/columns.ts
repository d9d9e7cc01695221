import { corrupt } from './rejections.ts';

/** A database row. Its columns are checked when they are read. */
export type Row = Readonly<Record<string, unknown>>;

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw wrongType(column, 'a number', value);
  return value;
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrongType(column, 'text', value);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

function wrongType(column: string, expected: string, value: unknown): Error {
  return corrupt(
    'the database',
    `column ${column} contains ${value === null ? 'NULL' : `a ${typeof value}`} instead of ${expected}`,
  );
}
