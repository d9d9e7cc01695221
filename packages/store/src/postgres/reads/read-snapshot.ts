import type { Snapshot } from '../../port.ts';
import { integer, text } from '../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';

export function prepareReadSnapshot(
  query: Query,
  schema: string,
): (taskId: string) => Promise<Snapshot | undefined> {
  const statement = `
    SELECT sequence, json FROM ${schema}.snapshots
    WHERE task = (SELECT key FROM ${schema}.tasks WHERE id = $1)`;
  return async (taskId) => {
    const [row] = await query({ name: 'read-snapshot', text: statement, values: [toDatabaseText(taskId)] });
    return row === undefined ? undefined : { sequence: integer(row, 'sequence'), json: text(row, 'json') };
  };
}
