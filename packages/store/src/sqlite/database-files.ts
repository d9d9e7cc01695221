import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../rejections.ts';
import type { StoreError } from '../store-error.ts';
import { integer } from '../sql/rows.ts';
import { fileIdentity } from './folder-lock.ts';

const NAME = 'holdword.db';

/**
 * Whether the files of an open database are still where the next process will look for them. SQLite keeps writing to files
 * that were removed, and what it writes there ends with the process.
 *
 * Responsible for refusing to acknowledge such writes (J1), and for saving what was acknowledged if only the log is gone:
 * it can still be read, and is copied into the database. Costs three calls of the operating system for each group.
 */
export class DatabaseFiles {
  readonly #file: string;
  readonly #database: DatabaseSync;
  #known: { database: string | undefined; log: string } | undefined;
  #isMoved = false;
  #lost: StoreError | undefined;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  /** Why nothing may be written, as found after an earlier commit. A database that was put back is used again. */
  problem(): StoreError | undefined {
    return this.#isMoved ? this.problemAfterCommit() : this.#lost;
  }

  /**
   * Is called after a commit. Returns why it must not be acknowledged; undefined if it is safe, including a commit whose log
   * is gone and that is in the database by now.
   */
  problemAfterCommit(): StoreError | undefined {
    const database = fileIdentity(this.#file);
    const log = `${fileIdentity(`${this.#file}-wal`)} ${fileIdentity(`${this.#file}-shm`)}`;
    this.#known ??= { database, log };
    this.#isMoved = database !== this.#known.database;
    if (this.#isMoved) return databaseGone();
    if (log === this.#known.log) return undefined;
    return this.#saveLog();
  }

  /** Returns undefined if everything is in the database now. From then on nothing is written any more. */
  #saveLog(): StoreError | undefined {
    try {
      const outcome = this.#database.prepare('PRAGMA wal_checkpoint(FULL)').get();
      if (outcome === undefined || integer(outcome, 'busy') !== 0) return logGone(NOT_SAVED);
    } catch (error) {
      return logGone(NOT_SAVED, error);
    }
    this.#lost = logGone(SAVED);
    return undefined;
  }
}

function databaseGone(): StoreError {
  return unavailable(
    `${NAME} was removed or replaced while Holdword was running; put it back, or restore a backup and restart Holdword`,
  );
}

const SAVED = `what was acknowledged is in ${NAME}; restart Holdword`;
const NOT_SAVED = `what was acknowledged could not be saved to ${NAME} yet; do not stop Holdword before it is`;

function logGone(outcome: string, cause?: unknown): StoreError {
  return unavailable(
    `${NAME}-wal or ${NAME}-shm was removed or replaced while Holdword was running; ${outcome}`,
    cause,
  );
}
