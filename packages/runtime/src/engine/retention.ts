import type { EndedPage, ExcessCursor, PageCursor, Retention, Store } from '@holdword/store';
import { type Log, OutageLog } from '../log.ts';
import { isActive, TargetRecords } from '../push/push-targets.ts';
import { loadFold } from './task-fold.ts';

/** Which ended tasks are removed. By default, none. */
export interface RetentionOptions {
  /** Removes tasks that ended longer ago than this. */
  maxAgeHours?: number | undefined;
  /** Keeps only this many ended tasks of every owner, the newest ones. */
  maxEndedTasks?: number | undefined;
  /**
   * Replaces the events of a task that ended longer ago than this by the task in its final state. A task larger than 4 MiB keeps
   * its events: they are its content.
   */
  compactAfterHours?: number | undefined;
  /**
   * Removes what other components keep about a task. Returns false while they need the task, which is then kept. Called
   * before the task is removed, and again if that fails.
   */
  alsoForget?: ((taskId: string) => Promise<boolean>) | undefined;
  /**
   * Removes records of other components that are no longer needed. Runs every minute after the tasks, and must do a bounded
   * amount of work. Returns how many it removed.
   */
  alsoRun?: ((signal: AbortSignal) => Promise<number>) | undefined;
}

/** Whether some tasks are removed by their age or number. */
export function hasLimits(options: RetentionOptions): boolean {
  const { maxAgeHours, maxEndedTasks, compactAfterHours, alsoRun } = options;
  return [maxAgeHours, maxEndedTasks, compactAfterHours, alsoRun].some((limit) => limit !== undefined);
}

export interface RetentionRun {
  /** Ends the current run after the task that it is processing. */
  stop(): Promise<void>;
}

const PAUSE_MILLISECONDS = 60_000;

/** Removes ended tasks in the background, now and every minute. */
export function startRetention(
  store: Store,
  log: Log,
  options: RetentionOptions,
  isLive: (taskId: string) => boolean,
): RetentionRun {
  const retention = retentionOf(store);
  const stopping = new AbortController();
  const { signal } = stopping;
  const positions = firstPositions();
  const outage = new OutageLog(log, {
    beginning: 'Could not remove ended tasks. Retrying every minute.',
    end: 'Ended tasks are removed again.',
  });
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      const { removed, compacted } = await forgetTasks({
        ...options,
        store,
        retention,
        isLive,
        now: Date.now(),
        signal,
        positions,
      });
      const records = (await options.alsoRun?.(signal)) ?? 0;
      outage.succeeded();
      if (removed + compacted > 0) log.info('Removed ended tasks.', { removed, compacted });
      if (records > 0) log.info('Removed old records.', { records });
    } catch (error) {
      outage.failed(error);
    }
  };
  const begin = (): void => {
    running ??= run().finally(() => (running = undefined));
  };
  const timer = setInterval(begin, PAUSE_MILLISECONDS).unref();
  begin();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** How the store removes tasks. Throws if it cannot. */
export function retentionOf(store: Store): Retention {
  if (store.retention !== undefined) return store.retention;
  throw new Error(
    `The ${store.kind} store does not support retention. Use another store, or turn retention off.`,
  );
}

export interface ForgettingOptions extends RetentionOptions {
  store: Store;
  retention: Retention;
  /** Whether this process writes to the task. */
  isLive: (taskId: string) => boolean;
  now: number;
  signal: AbortSignal;
  /** Where the previous run stopped; updated by this one. */
  positions: ForgettingPositions;
}

/** A position in each of the lists that a run goes through. */
interface ForgettingPositions {
  readonly aged: Position<PageCursor>;
  readonly excess: Position<ExcessCursor>;
  readonly uncompacted: Position<PageCursor>;
}

/** The start of the list, without a cursor. */
interface Position<Cursor> {
  cursor?: Cursor;
}

export function firstPositions(): ForgettingPositions {
  return { aged: {}, excess: {}, uncompacted: {} };
}

interface Forgotten {
  removed: number;
  compacted: number;
}

const PAGE = 100;
/** After this many pages, the rest waits for the next run, which continues there. */
const MOST_PAGES = 50;
const HOUR = 3_600_000;

/**
 * Removes and compacts tasks as the options say, one page at a time; other work of the process runs after every task.
 * Each page starts where the previous one ended, and the first page of a run where the previous run stopped, so tasks
 * that are kept for now never hide those behind them.
 */
export async function forgetTasks(options: ForgettingOptions): Promise<Forgotten> {
  const { retention, now, maxAgeHours, maxEndedTasks, compactAfterHours, positions } = options;
  const before = (hours: number): number => now - hours * HOUR;
  const forgotten: Forgotten = { removed: 0, compacted: 0 };
  if (maxAgeHours !== undefined) {
    const until = before(maxAgeHours);
    forgotten.removed += await inPages(options, removeTask, positions.aged, (from) =>
      retention.listEnded({ until, limit: PAGE, ...from }),
    );
  }
  if (maxEndedTasks !== undefined) {
    forgotten.removed += await inPages(options, removeTask, positions.excess, (from) =>
      retention.listExcess({ keep: maxEndedTasks, limit: PAGE, ...from }),
    );
  }
  if (compactAfterHours !== undefined) {
    const until = before(compactAfterHours);
    forgotten.compacted = await inPages(options, compactTask, positions.uncompacted, (from) =>
      retention.listEnded({ until, untrimmed: true, limit: PAGE, ...from }),
    );
  }
  return forgotten;
}

/** Stores in `position` where it stopped, or nothing if it reached the end of the list. */
async function inPages<Cursor>(
  options: ForgettingOptions,
  forget: (options: ForgettingOptions, taskId: string) => Promise<boolean>,
  position: Position<Cursor>,
  readPage: (from: Position<Cursor>) => Promise<EndedPage<Cursor>>,
): Promise<number> {
  let done = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { tasks, nextCursor } = await readPage(position);
    for (const { taskId } of tasks) {
      if (options.signal.aborted) return done;
      if ((await mayBeForgotten(options, taskId)) && (await forget(options, taskId))) done += 1;
    }
    if (nextCursor === undefined) {
      delete position.cursor;
      return done;
    }
    position.cursor = nextCursor;
  }
  return done;
}

/** Not while a late answer may still come, and not before every push notification was delivered or abandoned. */
async function mayBeForgotten({ store, isLive }: ForgettingOptions, taskId: string): Promise<boolean> {
  if (isLive(taskId)) return false;
  const targets = await new TargetRecords(store).list(taskId);
  return !targets.some(({ target }) => isActive(target));
}

/**
 * Removes one task that has ended, and what belongs to it. Returns false if there is none, or if it is still needed.
 */
export async function removeTask(
  { store, retention, alsoForget }: Pick<ForgettingOptions, 'store' | 'retention' | 'alsoForget'>,
  taskId: string,
): Promise<boolean> {
  if ((await alsoForget?.(taskId)) === false) return false;
  const records = new TargetRecords(store);
  for (const { target } of await records.list(taskId)) await records.remove(target);
  return retention.deleteTask(taskId);
}

async function compactTask({ store, retention }: ForgettingOptions, taskId: string): Promise<boolean> {
  const fold = await loadFold(store, taskId);
  if (fold === undefined) return false;
  await store.writeSnapshot(taskId, { sequence: fold.sequence, json: fold.toSnapshot() });
  // The content of a large task is in its events alone.
  return fold.isWhole && retention.trimJournal(taskId);
}
