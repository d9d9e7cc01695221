import type { DatabaseSync } from 'node:sqlite';
import type { DeleteRecordWrite, Outcome } from '../write.ts';

/** Returns whether there was such a record, with the expected value if one is given. */
export function prepareDeleteRecord(database: DatabaseSync): (write: DeleteRecordWrite) => Outcome {
  const remove = database.prepare(
    'DELETE FROM records WHERE namespace = ? AND key = ? AND (? IS NULL OR value = ?)',
  );
  return ([, namespace, key, expected]) => remove.run(namespace, key, expected, expected).changes > 0;
}
