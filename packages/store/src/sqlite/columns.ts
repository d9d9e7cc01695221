import { text as storedText, type Row } from '../columns.ts';
import { fromDatabaseText } from '../database-text.ts';

export { integer, type Row } from '../columns.ts';

/** A text column, unescaped. */
export function text(row: Row, column: string): string {
  return fromDatabaseText(storedText(row, column));
}
