import type { DatabaseSync } from 'node:sqlite';
import type { DeleteRecordWrite, Outcome } from '../write.ts';

/** Answers whether there was such a record. */
export function prepareDeleteRecord(database: DatabaseSync): (write: DeleteRecordWrite) => Outcome {
  const remove = database.prepare('DELETE FROM records WHERE namespace = ? AND key = ?');
  return ([, namespace, key]) => remove.run(namespace, key).changes > 0;
}
