import type { DatabaseSync } from 'node:sqlite';
import { text } from '../../columns.ts';

export function prepareGetRecord(
  database: DatabaseSync,
): (namespace: string, key: string) => string | undefined {
  const select = database.prepare('SELECT value FROM records WHERE namespace = ? AND key = ?');
  return (namespace, key) => {
    const row = select.get(namespace, key);
    return row === undefined ? undefined : text(row, 'value');
  };
}

export function prepareListRecords(
  database: DatabaseSync,
): (namespace: string, prefix?: string) => { key: string; value: string }[] {
  const select = database.prepare(`
    SELECT key, value FROM records
    WHERE namespace = ?1 AND key >= ?2 AND substr(key, 1, length(?2)) = ?2 ORDER BY key`);
  return (namespace, prefix = '') =>
    select.all(namespace, prefix).map((row) => ({ key: text(row, 'key'), value: text(row, 'value') }));
}
