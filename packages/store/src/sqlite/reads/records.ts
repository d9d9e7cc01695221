import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { text } from '../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import type { RecordPage, RecordEntry } from '../../port.ts';
import { recordRange } from '../../record-range.ts';

export function prepareGetRecord(
  database: DatabaseSync,
): (namespace: string, key: string) => string | undefined {
  const select = database.prepare('SELECT value FROM records WHERE namespace = ? AND key = ?');
  return (namespace, key) => {
    const row = select.get(toDatabaseText(namespace), toDatabaseText(key));
    return row === undefined ? undefined : text(row, 'value');
  };
}

const NO_LIMIT = -1;

export function prepareListRecords(
  database: DatabaseSync,
): (namespace: string, prefix?: string, page?: RecordPage) => RecordEntry[] {
  const statements = new Map<string, StatementSync>();
  return (namespace, prefix, page) => {
    const { lower, lowerOperator, upper, upperOperator, order } = recordRange(prefix, page);
    const sql = `
      SELECT key, value FROM records
      WHERE namespace = ? AND key ${lowerOperator} ? AND key ${upperOperator} ? ORDER BY key ${order} LIMIT ?`;
    let select = statements.get(sql);
    if (select === undefined) statements.set(sql, (select = database.prepare(sql)));
    return select
      .all(...[namespace, lower, upper].map(toDatabaseText), page?.limit ?? NO_LIMIT)
      .map((row) => ({ key: text(row, 'key'), value: text(row, 'value') }));
  };
}
