import type { DatabaseSync } from 'node:sqlite';
import { toDatabaseText } from '../../database-text.ts';
import type { Snapshot } from '../../port.ts';
import { integer, text } from '../../columns.ts';

export function prepareReadSnapshot(database: DatabaseSync): (taskId: string) => Snapshot | undefined {
  const select = database.prepare(
    'SELECT sequence, json FROM tasks JOIN snapshots ON task = tasks.key WHERE id = ?',
  );
  return (taskId) => {
    const row = select.get(toDatabaseText(taskId));
    return row === undefined ? undefined : { sequence: integer(row, 'sequence'), json: text(row, 'json') };
  };
}
