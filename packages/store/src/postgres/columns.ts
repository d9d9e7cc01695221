import { corrupt } from '../refusals.ts';
import { fromDatabaseText } from './database-text.ts';

export type Row = Record<string, unknown>;

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw wrongType(column, 'a number', value);
  return value;
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrongType(column, 'a text', value);
  return fromDatabaseText(value);
}

function wrongType(column: string, expected: string, value: unknown): Error {
  return corrupt(
    'the database',
    `column ${column} holds ${value === null ? 'nothing' : typeof value}, not ${expected}`,
  );
}
