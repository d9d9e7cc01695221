import type { DatabaseSync } from 'node:sqlite';
import type { HeartbeatWrite, Outcome } from '../write.ts';

export function prepareHeartbeat(database: DatabaseSync): (write: HeartbeatWrite) => Outcome {
  const upsert = database.prepare(
    'INSERT INTO holders (id, expires_at) VALUES (?, ?) ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at',
  );
  return ([, holder, expiresAt]) => {
    upsert.run(holder, expiresAt);
    return undefined;
  };
}
