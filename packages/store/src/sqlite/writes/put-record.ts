import type { DatabaseSync } from 'node:sqlite';
import type { Outcome, PutRecordWrite } from '../write.ts';

export function preparePutRecord(database: DatabaseSync): (write: PutRecordWrite) => Outcome {
  const upsert = database.prepare(
    'INSERT INTO records (namespace, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return ([, namespace, key, value]) => {
    upsert.run(namespace, key, value);
    return undefined;
  };
}
