import type { DatabaseSync } from 'node:sqlite';
import type { Outcome, ReplaceRecordWrite } from '../write.ts';

/** Returns whether the record had the expected value and was replaced. */
export function prepareReplaceRecord(database: DatabaseSync): (write: ReplaceRecordWrite) => Outcome {
  const insert = database.prepare(
    'INSERT INTO records (namespace, key, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const update = database.prepare(
    'UPDATE records SET value = ? WHERE namespace = ? AND key = ? AND value = ?',
  );
  return ([, namespace, key, expected, value]) => {
    const { changes } =
      expected === null ? insert.run(namespace, key, value) : update.run(value, namespace, key, expected);
    return changes > 0;
  };
}
