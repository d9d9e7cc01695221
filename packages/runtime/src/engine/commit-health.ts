import { isStoreError, type StoreErrorCode } from '@holdword/store';
import { errorReason, oncePerInterval, type Log } from '../log.ts';

/** A failed commit is retried more often than this. If nothing has failed for so long, the state is unknown. */
const STALE_MILLISECONDS = 15_000;
const LOG_INTERVAL_MILLISECONDS = 60_000;
/** A store that was unavailable once may be back at the first retry, for example after a failover. */
const FAILURES_BEFORE_LOG = 2;

/** Failures of the store itself. Other codes concern one task, such as a lease that was taken over. */
const OUTAGES: ReadonlySet<StoreErrorCode> = new Set(['unavailable', 'corrupt', 'closed']);

/**
 * Whether the store accepts commits.
 *
 * Responsible for telling the operator why commits fail, once for all tasks and retries of an outage, and for the
 * readiness check. Leaves the retries to the JournalWriters, which report to it.
 */
export class CommitHealth {
  readonly #log: Log;
  readonly #isLogDue = oncePerInterval(LOG_INTERVAL_MILLISECONDS);
  #lastFailure: number | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The latest commits failed because of the store, and none has succeeded since. */
  get isFailing(): boolean {
    return this.#lastFailure !== undefined && performance.now() - this.#lastFailure < STALE_MILLISECONDS;
  }

  succeeded(): void {
    this.#lastFailure = undefined;
  }

  /** A commit has failed this many times. It is final if it will not be retried. */
  failed(taskId: string, error: unknown, failures: number, isFinal: boolean): void {
    if (!isStoreError(error) || !OUTAGES.has(error.code)) return;
    this.#lastFailure = performance.now();
    if (failures < FAILURES_BEFORE_LOG && !isFinal) return;
    if (!this.#isLogDue()) return;
    this.#log.error('The store rejects commits. Each is retried for up to 30 seconds, then its task fails.', {
      taskId,
      code: error.code,
      error: errorReason(error),
    });
  }
}
