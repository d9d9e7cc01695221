import { text } from '../columns.ts';
import { toDatabaseText } from '../database-text.ts';
import type { Query } from '../reader.ts';

export function prepareGetRecord(
  query: Query,
  schema: string,
): (namespace: string, key: string) => Promise<string | undefined> {
  const statement = `SELECT value FROM ${schema}.records WHERE namespace = $1 AND key = $2`;
  return async (namespace, key) => {
    const values = [toDatabaseText(namespace), toDatabaseText(key)];
    const [row] = await query({ name: 'get-record', text: statement, values });
    return row === undefined ? undefined : text(row, 'value');
  };
}

export function prepareListRecords(
  query: Query,
  schema: string,
): (namespace: string, prefix?: string) => Promise<{ key: string; value: string }[]> {
  const statement = `
    SELECT key, value FROM ${schema}.records
    WHERE namespace = $1 AND key >= $2 AND starts_with(key, $2) ORDER BY key`;
  return async (namespace, prefix = '') => {
    const values = [toDatabaseText(namespace), toDatabaseText(prefix)];
    const rows = await query({ name: 'list-records', text: statement, values });
    return rows.map((row) => ({ key: text(row, 'key'), value: text(row, 'value') }));
  };
}
