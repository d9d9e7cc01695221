import { isStoreError, type Store, type StoreError, type StoreErrorCode } from '@holdword/store';
import { type Log, OutageLog } from '../log.ts';

/*
 * Whether the store accepts what this process writes: its heartbeats, which are also what other processes judge it by, and its
 * commits.
 */

/**
 * Other processes scan for orphans at every beat, so a heartbeat expires early enough for the next scan to be in time.
 */
const TTL_SHARE = 2 / 3;
const BEATS_WITHIN_TTL = 3;

interface HeartbeatOptions {
  store: Store;
  holder: string;
  log: Log;
  /** Other processes have taken over the tasks of this one at the latest this long after its last beat. */
  leaseMilliseconds: number;
  onBeat: () => Promise<void>;
}

interface Heartbeat {
  /** Time since the store last accepted a beat. */
  readonly ageMilliseconds: number;
  /** Why the latest beat was not written: the store does not accept writes at the moment. Undefined if it was. */
  readonly failure: unknown;
  stop(): void;
  /** Expires the heartbeat: other processes may take over at once whatever this one still holds. */
  expire(): Promise<void>;
}

/** Renews this process's heartbeat, and runs `onBeat` at the same interval, which scans for tasks of dead processes. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { store, holder, log, onBeat } = options;
  const ttlMilliseconds = Math.round(options.leaseMilliseconds * TTL_SHARE);
  await store.heartbeat(holder, ttlMilliseconds);
  let lastBeat = performance.now();
  let failure: unknown;
  const beats = new OutageLog(log, {
    beginning: store.isShared
      ? 'Could not write the heartbeat. New messages are rejected, and other processes may take over the tasks of this one.'
      : 'Could not write the heartbeat. New messages are rejected until it does.',
    end: 'The heartbeat is written again.',
  });
  const scans = new OutageLog(log, {
    beginning: 'Could not scan for orphaned tasks.',
    end: 'Orphaned tasks are scanned for again.',
  });
  let steadySince = -Infinity;
  let isWriting = false;
  let isActing = false;
  const write = async (): Promise<boolean> => {
    if (isWriting) return false;
    isWriting = true;
    try {
      await store.heartbeat(holder, ttlMilliseconds);
      const now = performance.now();
      if (now - lastBeat > ttlMilliseconds) steadySince = now;
      lastBeat = now;
      failure = undefined;
      beats.succeeded();
      return true;
    } catch (error) {
      failure = error;
      beats.failed(error);
      return false;
    } finally {
      isWriting = false;
    }
  };
  const act = async (): Promise<void> => {
    // After a gap in its own heartbeat, the store may have been unreachable for all: others get time to renew theirs.
    if (isActing || performance.now() - steadySince < ttlMilliseconds) return;
    isActing = true;
    try {
      await onBeat();
      scans.succeeded();
    } catch (error) {
      scans.failed(error);
    } finally {
      isActing = false;
    }
  };
  // The next beat does not wait for `onBeat`: a process with much to recover must not look dead itself.
  const beat = async (): Promise<void> => {
    if (await write()) void act();
  };
  const timer = setInterval(() => void beat(), ttlMilliseconds / BEATS_WITHIN_TTL);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  return {
    stop,
    expire: () => store.heartbeat(holder, 0),
    get ageMilliseconds() {
      return performance.now() - lastBeat;
    },
    get failure() {
      return failure;
    },
  };
}

/** A failed commit is retried more often than this. If nothing has failed for so long, the state is unknown. */
const STALE_MILLISECONDS = 15_000;
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
  readonly #outage: OutageLog;
  #last: { error: StoreError; at: number } | undefined;

  constructor(log: Log) {
    this.#outage = new OutageLog(log, {
      beginning: 'The store failed. A commit is retried for up to 30 seconds, then its task fails.',
      end: 'The store accepts commits again.',
    });
  }

  /** Why the latest commits failed, if none has succeeded since. */
  get failure(): StoreError | undefined {
    if (this.#last === undefined) return undefined;
    const { error, at } = this.#last;
    // Damage stays until somebody repairs it.
    return error.code === 'corrupt' || performance.now() - at < STALE_MILLISECONDS ? error : undefined;
  }

  succeeded(): void {
    if (this.#last === undefined) return;
    this.#last = undefined;
    this.#outage.succeeded();
  }

  /** Something else than a commit failed: it counts if the data is damaged, which every request would find again. */
  noticeDamage(error: unknown): void {
    if (isStoreError(error) && error.code === 'corrupt') this.#fail(error, {});
  }

  /** A commit has failed this many times. It is final if it will not be retried. */
  failed(taskId: string, error: unknown, failures: number, isFinal: boolean): void {
    if (!isStoreError(error) || !OUTAGES.has(error.code)) return;
    this.#last = { error, at: performance.now() };
    if (failures >= FAILURES_BEFORE_LOG || isFinal) this.#fail(error, { taskId });
  }

  #fail(error: StoreError, fields: { taskId?: string }): void {
    this.#last = { error, at: performance.now() };
    this.#outage.failed(error, { ...fields, code: error.code });
  }
}
