import { storeClosed } from '../rejections.ts';
import { connectForReading } from './connect.ts';
import { prepareFindIdempotencyKey } from './reads/find-idempotency-key.ts';
import { prepareIsAlive } from './reads/is-alive.ts';
import { prepareListEnded } from './reads/list-ended.ts';
import { prepareListExcess } from './reads/list-excess.ts';
import { prepareListOrphans } from './reads/list-orphans.ts';
import { prepareListTasks } from './reads/list-tasks.ts';
import { prepareReadEvents } from './reads/read-events.ts';
import { prepareReadSnapshot } from './reads/read-snapshot.ts';
import { prepareReadStatusEvent } from './reads/read-status-event.ts';
import { prepareReadTask } from './reads/read-task.ts';
import { prepareGetRecord, prepareListRecords } from './reads/records.ts';
import { storeErrorFromSqlite } from './sqlite-error.ts';

type Reads = ReturnType<typeof prepareReads>;

/**
 * Reads over a separate connection on the main thread, which sees only committed data (J1). A read is a few seeks in pages
 * that are mostly cached, which is cheaper than asking another thread.
 */
export class Reader {
  readonly #database;
  readonly #reads: Reads;
  #isOpen = true;

  constructor(file: string) {
    this.#database = connectForReading(file);
    this.#reads = prepareReads(this.#database);
  }

  read<Result>(query: (reads: Reads) => Result): Promise<Result> {
    if (!this.#isOpen) return Promise.reject(storeClosed());
    try {
      return Promise.resolve(query(this.#reads));
    } catch (error) {
      return Promise.reject(storeErrorFromSqlite(error, 'holdword.db'));
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#database.close();
  }
}

function prepareReads(database: ReturnType<typeof connectForReading>) {
  return {
    readTask: prepareReadTask(database),
    readEvents: prepareReadEvents(database),
    readStatusEvent: prepareReadStatusEvent(database),
    readSnapshot: prepareReadSnapshot(database),
    listTasks: prepareListTasks(database),
    findIdempotencyKey: prepareFindIdempotencyKey(database),
    isAlive: prepareIsAlive(database),
    listOrphans: prepareListOrphans(database),
    listEnded: prepareListEnded(database),
    listExcess: prepareListExcess(database),
    getRecord: prepareGetRecord(database),
    listRecords: prepareListRecords(database),
  };
}
