import { Pool, type QueryConfig } from 'pg';
import { storeClosed } from '../rejections.ts';
import { backoff } from './backoff.ts';
import type { Row } from './columns.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { failureKind, storeErrorFromPostgres } from './postgres-error.ts';
import { prepareFindIdempotencyKey } from './reads/find-idempotency-key.ts';
import { prepareIsAlive } from './reads/is-alive.ts';
import { prepareListCommittedGroups } from './reads/list-committed-groups.ts';
import { prepareListEnded } from './reads/list-ended.ts';
import { prepareListExcess } from './reads/list-excess.ts';
import { prepareListOrphans } from './reads/list-orphans.ts';
import { prepareListTasks } from './reads/list-tasks.ts';
import { prepareReadEvents } from './reads/read-events.ts';
import { prepareReadSnapshot } from './reads/read-snapshot.ts';
import { prepareReadStatusEvent } from './reads/read-status-event.ts';
import { prepareReadTask } from './reads/read-task.ts';
import { prepareGetRecord, prepareListRecords } from './reads/records.ts';

/** Runs a statement and returns its rows. */
export type Query = (statement: QueryConfig) => Promise<Row[]>;

type Reads = ReturnType<typeof prepareReads>;

const IDLE_MILLISECONDS = 60_000;

/**
 * Reads over a pool of connections, which see only committed data (J1). A read that hits a broken connection is retried
 * until the timeout.
 */
export class Reader {
  readonly #pool: Pool;
  readonly #reads: Reads;
  readonly #timeoutMilliseconds: number;
  #isOpen = true;

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

  async read<Result>(query: (reads: Reads) => Promise<Result>): Promise<Result> {
    const deadline = Date.now() + this.#timeoutMilliseconds;
    const pauses = backoff();
    for (;;) {
      if (!this.#isOpen) throw storeClosed();
      try {
        return await query(this.#reads);
      } catch (error) {
        const kind = failureKind(error);
        const isRetryable = (kind === 'lost' || kind === 'retry') && Date.now() < deadline;
        if (!isRetryable) throw storeErrorFromPostgres(error);
        await pauses.next();
      }
    }
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#pool.end();
  }
}

function prepareReads(query: Query, schema: string) {
  return {
    readTask: prepareReadTask(query, schema),
    readEvents: prepareReadEvents(query, schema),
    readStatusEvent: prepareReadStatusEvent(query, schema),
    readSnapshot: prepareReadSnapshot(query, schema),
    listTasks: prepareListTasks(query, schema),
    findIdempotencyKey: prepareFindIdempotencyKey(query, schema),
    isAlive: prepareIsAlive(query, schema),
    listOrphans: prepareListOrphans(query, schema),
    listEnded: prepareListEnded(query, schema),
    listExcess: prepareListExcess(query, schema),
    listCommittedGroups: prepareListCommittedGroups(query, schema),
    getRecord: prepareGetRecord(query, schema),
    listRecords: prepareListRecords(query, schema),
  };
}
