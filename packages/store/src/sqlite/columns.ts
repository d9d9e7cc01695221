import { text as storedText, type Row } from '../columns.ts';
import { fromDatabaseText } from '../database-text.ts';

export { integer, type Row } from '../columns.ts';

/** A text as it was before it was made fit for the database. */
export function text(row: Row, column: string): string {
  return fromDatabaseText(storedText(row, column));
}
