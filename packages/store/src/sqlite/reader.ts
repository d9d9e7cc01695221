import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { steadyNow } from '@holdword/protocol/internal';
import type { StoreReads } from '../backed-store.ts';
import { recordRange } from '../pages.ts';
import { rowToHeader, rowToHolder, text, toDatabaseText } from '../sql/rows.ts';
import { connectForReading } from './connect.ts';
import { prepareFindIdempotencyKey, prepareJournalReads } from './journal-reads.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';
import { HEADER_COLUMNS, prepareTaskLists } from './task-lists.ts';

/**
 * Reads over a separate connection on the main thread, which sees only committed data (J1). A read is a few seeks in pages
 * that are mostly cached, which is cheaper than asking another thread.
 */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #reads: StoreReads;

  constructor(file: string) {
    this.#database = connectForReading(file);
    this.#reads = prepareReads(this.#database);
  }

  async read<Result>(query: (reads: StoreReads) => Result | Promise<Result>): Promise<Result> {
    try {
      return await query(this.#reads);
    } catch (error) {
      throw storeErrorFromSqlite(error, 'holdword.db');
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Everything that is found by its key is read here. */
function prepareReads(database: DatabaseSync): StoreReads {
  const selectTask = database.prepare(`SELECT ${HEADER_COLUMNS} FROM tasks WHERE id = ?`);
  const selectHolder = database.prepare('SELECT 1 FROM holders WHERE id = ? AND expires_at > ?');
  const selectHolders = database.prepare(
    'SELECT id, expires_at - ? AS alive FROM holders ORDER BY expires_at DESC, id',
  );
  const selectHolderOf = database.prepare('SELECT holder FROM tasks WHERE id = ? AND holder IS NOT NULL');
  const selectRecord = database.prepare('SELECT value FROM records WHERE namespace = ? AND key = ?');
  const findIdempotencyKey = prepareFindIdempotencyKey(database);
  return {
    ...prepareJournalReads(database),
    ...prepareTaskLists(database),
    readTask(taskId) {
      const row = selectTask.get(toDatabaseText(taskId));
      return row && rowToHeader(row);
    },
    findIdempotencyKey: (owner, key) => findIdempotencyKey(toDatabaseText(owner), toDatabaseText(key)),
    listHolders: () => selectHolders.all(steadyNow()).map(rowToHolder),
    readHolder(taskId) {
      const row = selectHolderOf.get(toDatabaseText(taskId));
      return row && text(row, 'holder');
    },
    isAlive: (holder) => selectHolder.get(toDatabaseText(holder), steadyNow()) !== undefined,
    getRecord(namespace, key) {
      const row = selectRecord.get(toDatabaseText(namespace), toDatabaseText(key));
      return row && text(row, 'value');
    },
    listRecords: prepareListRecords(database),
  };
}

const NO_LIMIT = -1;

function prepareListRecords(database: DatabaseSync): StoreReads['listRecords'] {
  const statements = new Map<string, StatementSync>();
  return (namespace, prefix, page) => {
    const { lower, lowerOperator, upper, upperOperator, order } = recordRange(prefix, page);
    const sql = `
      SELECT key, value FROM records
      WHERE namespace = ? AND key ${lowerOperator} ? AND key ${upperOperator} ? ORDER BY key ${order} LIMIT ?`;
    let select = statements.get(sql);
    if (select === undefined) statements.set(sql, (select = database.prepare(sql)));
    return select
      .all(...[namespace, lower, upper].map(toDatabaseText), page?.limit ?? NO_LIMIT)
      .map((row) => ({ key: text(row, 'key'), value: text(row, 'value') }));
  };
}
