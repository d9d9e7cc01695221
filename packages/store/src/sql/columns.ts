import { corrupt } from '../rejections.ts';

/** A database row. Its columns are checked when they are read. */
export type Row = Readonly<Record<string, unknown>>;

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw wrongType(column, 'a number', value);
  return value;
}

/** The text that `toDatabaseText` has stored in a column. */
export function text(row: Row, column: string): string {
  return fromDatabaseText(storedText(row, column));
}

/** The text in a column, as it is stored. */
export function storedText(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrongType(column, 'text', value);
  return value;
}

function wrongType(column: string, expected: string, value: unknown): Error {
  return corrupt(
    'the database',
    `column ${column} contains ${value === null ? 'NULL' : `a ${typeof value}`} instead of ${expected}`,
  );
}

const ESCAPE = '\u0001';
const ESCAPED_NUL = '\u0001\u0002';
const ESCAPED_ESCAPE = '\u0001\u0003';

/**
 * Escapes NUL characters, which the names that clients choose may contain: PostgreSQL rejects them, and node:sqlite in many
 * Node versions reads a text only up to its first NUL. Escaped texts sort like the originals.
 */
export function toDatabaseText(original: string): string {
  const wellFormed = original.isWellFormed() ? original : original.toWellFormed();
  if (!wellFormed.includes('\0') && !wellFormed.includes(ESCAPE)) return wellFormed;
  return wellFormed.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll('\0', ESCAPED_NUL);
}

export function fromDatabaseText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(ESCAPED_NUL, '\0').replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
