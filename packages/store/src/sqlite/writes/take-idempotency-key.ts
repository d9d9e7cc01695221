import type { DatabaseSync } from 'node:sqlite';
import type { IdempotencyTuple } from '../write.ts';

/** A key that is taken stays with the task that took it. */
export function prepareTakeIdempotencyKey(
  database: DatabaseSync,
): (taskId: string, idempotency: IdempotencyTuple) => void {
  const insert = database.prepare(`
    INSERT INTO idempotency (owner, key, task_id, payload_hash) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  return (taskId, [owner, key, payloadHash]) => {
    insert.run(owner, key, taskId, payloadHash);
  };
}
