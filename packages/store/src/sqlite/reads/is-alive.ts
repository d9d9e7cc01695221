import type { DatabaseSync } from 'node:sqlite';
import { toDatabaseText } from '../../database-text.ts';

export function prepareIsAlive(database: DatabaseSync): (holder: string, now: number) => boolean {
  const select = database.prepare('SELECT 1 FROM holders WHERE id = ? AND expires_at > ?');
  return (holder, now) => select.get(toDatabaseText(holder), now) !== undefined;
}
