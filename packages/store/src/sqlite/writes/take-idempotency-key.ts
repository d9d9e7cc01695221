import type { DatabaseSync } from 'node:sqlite';
import type { IdempotencyTuple } from '../write.ts';

/** A key stays with the task that took it first. */
export function prepareTakeIdempotencyKey(
  database: DatabaseSync,
): (taskId: string, idempotency: IdempotencyTuple) => void {
  const insert = database.prepare(`
    INSERT INTO idempotency (owner, key, task_id, payload_hash) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  return (taskId, [owner, key, payloadHash]) => {
    insert.run(owner, key, taskId, payloadHash);
  };
}
