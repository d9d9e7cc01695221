import type { IdempotencyEntry } from '../../port.ts';
import { text } from '../columns.ts';
import { toDatabaseText } from '../../database-text.ts';
import { toIndexedKey } from '../indexed-key.ts';
import type { Query } from '../reader.ts';

export function prepareFindIdempotencyKey(
  query: Query,
  schema: string,
): (owner: string, key: string) => Promise<IdempotencyEntry | undefined> {
  const statement = `SELECT task_id, payload_hash FROM ${schema}.idempotency WHERE owner = $1 AND key = $2`;
  return async (owner, key) => {
    const values = [toDatabaseText(owner), toIndexedKey(key)];
    const [row] = await query({ name: 'find-idempotency-key', text: statement, values });
    if (row === undefined) return undefined;
    return { taskId: text(row, 'task_id'), payloadHash: text(row, 'payload_hash') };
  };
}
