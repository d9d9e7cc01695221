import { toDatabaseText } from '../../database-text.ts';
import type { Query } from '../reader.ts';

export function prepareIsAlive(query: Query, schema: string): (holder: string) => Promise<boolean> {
  const text = `SELECT FROM ${schema}.holders WHERE id = $1 AND expires_at > ${schema}.now_milliseconds()`;
  return async (holder) => (await query({ text, values: [toDatabaseText(holder)] })).length > 0;
}
