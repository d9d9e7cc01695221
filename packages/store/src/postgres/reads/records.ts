import { text } from '../columns.ts';
import type { RecordPage, RecordEntry } from '../../port.ts';
import { recordRange } from '../../record-range.ts';
import { toDatabaseText } from '../../database-text.ts';
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
): (namespace: string, prefix?: string, page?: RecordPage) => Promise<RecordEntry[]> {
  return async (namespace, prefix, page) => {
    const { lower, lowerOperator, upper, upperOperator, order } = recordRange(prefix, page);
    const rows = await query({
      name: `list-records ${lowerOperator} ${upperOperator} ${order}`,
      text: `
        SELECT key, value FROM ${schema}.records
        WHERE namespace = $1 AND key ${lowerOperator} $2 AND key ${upperOperator} $3
        ORDER BY key ${order} LIMIT $4`,
      values: [...[namespace, lower, upper].map(toDatabaseText), page?.limit ?? null],
    });
    return rows.map((row) => ({ key: text(row, 'key'), value: text(row, 'value') }));
  };
}
