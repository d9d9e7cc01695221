import { Pool } from 'pg';
import type { StoreReads } from '../backed-store.ts';
import { recordRange } from '../pages.ts';
import { storeClosed } from '../rejections.ts';
import { integer, type Row, rowToHeader, rowToHolder, text, toDatabaseText } from '../sql/rows.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { prepareJournalReads, type Query } from './journal-reads.ts';
import { failureKind, pauseBeforeRetry, storeErrorFromPostgres } from './postgres-error.ts';
import { HEADER_COLUMNS, prepareTaskLists } from './task-lists.ts';
import { toIndexedKey } from './write.ts';

const IDLE_MILLISECONDS = 60_000;
/** How long a read is retried while the server is known to be down: long enough to replace a broken connection. */
const DOWN_MILLISECONDS = 250;

/**
 * Reads over a pool of connections, which see only committed data (J1). A read that hits a broken connection is retried
 * until the timeout. Once a read has failed that way, the next ones fail fast until one succeeds.
 */
export class Reader {
  readonly #pool: Pool;
  readonly #reads: PostgresReads;
  readonly #timeoutMilliseconds: number;
  #isOpen = true;
  #isDown = false;

  constructor({ client, schema, timeoutMilliseconds }: ConnectionSettings, poolSize: number) {
    this.#timeoutMilliseconds = timeoutMilliseconds;
    this.#pool = new Pool({ ...client, max: poolSize, idleTimeoutMillis: IDLE_MILLISECONDS });
    // The pool replaces broken idle connections; without a listener the error would be an uncaught exception.
    this.#pool.on('error', () => {});
    this.#reads = prepareReads(
      async (statement) => (await this.#pool.query<Row>(statement)).rows,
      schema.quoted,
    );
  }

  async read<Result>(query: (reads: PostgresReads) => Result | Promise<Result>): Promise<Result> {
    const deadline =
      performance.now() + Math.min(this.#timeoutMilliseconds, this.#isDown ? DOWN_MILLISECONDS : Infinity);
    for (let failures = 0; ; failures += 1) {
      if (!this.#isOpen) throw storeClosed();
      try {
        const result = await query(this.#reads);
        this.#isDown = false;
        return result;
      } catch (error) {
        const kind = failureKind(error);
        const isTransient = kind === 'lost' || kind === 'retry';
        if (!isTransient || performance.now() >= deadline) {
          this.#isDown = isTransient;
          throw storeErrorFromPostgres(error);
        }
        await pauseBeforeRetry(failures);
      }
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#pool.end();
  }
}

interface PostgresReads extends StoreReads {
  /** The last group of each writer that wrote to a journal. */
  listCommittedGroups(): Promise<Map<string, number>>;
}

/** Writers that have been inactive for longer were compared long ago. */
const RECENT_MILLISECONDS = 60_000;

/** Everything that is found by its key is read here. */
function prepareReads(query: Query, schema: string): PostgresReads {
  const selectTask = `SELECT ${HEADER_COLUMNS} FROM ${schema}.tasks WHERE id = $1`;
  const selectKey = `SELECT task_id, payload_hash FROM ${schema}.idempotency WHERE owner = $1 AND key = $2`;
  const selectHolder = `SELECT FROM ${schema}.holders WHERE id = $1 AND expires_at > ${schema}.now_milliseconds()`;
  const selectHolders = `
    SELECT id, expires_at - ${schema}.now_milliseconds() AS alive FROM ${schema}.holders
    ORDER BY expires_at DESC, id`;
  const selectHolderOf = `SELECT holder FROM ${schema}.tasks WHERE id = $1 AND holder IS NOT NULL`;
  const selectRecord = `SELECT value FROM ${schema}.records WHERE namespace = $1 AND key = $2`;
  const selectGroups = `
    SELECT id::text, last_journal_group FROM ${schema}.writers
    WHERE seen_at > ${schema}.now_milliseconds() - ${RECENT_MILLISECONDS}`;
  return {
    ...prepareJournalReads(query, schema),
    ...prepareTaskLists(query, schema),
    async readTask(taskId) {
      const [row] = await query({ name: 'read-task', text: selectTask, values: [toDatabaseText(taskId)] });
      return row && rowToHeader(row);
    },
    async findIdempotencyKey(owner, key) {
      const values = [toDatabaseText(owner), toIndexedKey(key)];
      const [row] = await query({ name: 'find-idempotency-key', text: selectKey, values });
      return row && { taskId: text(row, 'task_id'), payloadHash: text(row, 'payload_hash') };
    },
    async listHolders() {
      return (await query({ text: selectHolders })).map(rowToHolder);
    },
    async readHolder(taskId) {
      const [row] = await query({ text: selectHolderOf, values: [toDatabaseText(taskId)] });
      return row && text(row, 'holder');
    },
    async isAlive(holder) {
      return (await query({ text: selectHolder, values: [toDatabaseText(holder)] })).length > 0;
    },
    async getRecord(namespace, key) {
      const values = [toDatabaseText(namespace), toDatabaseText(key)];
      const [row] = await query({ name: 'get-record', text: selectRecord, values });
      return row && text(row, 'value');
    },
    async listRecords(namespace, prefix, page) {
      const { lower, lowerOperator, upper, upperOperator, order } = recordRange(prefix, page);
      const rows = await query({
        name: `list-records ${lowerOperator} ${upperOperator} ${order}`,
        text: `
          SELECT key, value FROM ${schema}.records
          WHERE namespace = $1 AND key ${lowerOperator} $2 AND key ${upperOperator} $3
          ORDER BY key ${order} LIMIT $4`,
        values: [...[namespace, lower, upper].map(toDatabaseText), page?.limit ?? null],
      });
      return rows.map((row) => ({ key: text(row, 'key'), value: text(row, 'value') }));
    },
    async listCommittedGroups() {
      const rows = await query({ name: 'list-committed-groups', text: selectGroups });
      return new Map(rows.map((row) => [text(row, 'id'), integer(row, 'last_journal_group')]));
    },
  };
}
