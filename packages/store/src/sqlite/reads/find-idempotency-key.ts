import type { DatabaseSync } from 'node:sqlite';
import type { IdempotencyEntry } from '../../port.ts';
import { text } from '../columns.ts';

/** Expects owner and key in escaped form, because that is what the writer thread has. */
export function prepareFindIdempotencyKey(
  database: DatabaseSync,
): (owner: string, key: string) => IdempotencyEntry | undefined {
  const select = database.prepare(
    'SELECT task_id, payload_hash FROM idempotency WHERE owner = ? AND key = ?',
  );
  return (owner, key) => {
    const row = select.get(owner, key);
    if (row === undefined) return undefined;
    return { taskId: text(row, 'task_id'), payloadHash: text(row, 'payload_hash') };
  };
}
