import type { EndedPage, ExcessCursor, PageCursor, Retention, Store } from '@holdword/store';
import { loadFold } from '../engine/load-fold.ts';
import { isActive } from '../push/push-target.ts';
import { TargetRecords } from '../push/target-records.ts';
import type { RetentionOptions } from './retention-options.ts';

export interface ForgettingOptions extends RetentionOptions {
  store: Store;
  retention: Retention;
  /** Whether this process writes to the task. */
  isLive: (taskId: string) => boolean;
  now: number;
  signal: AbortSignal;
  /** Where the run before had to stop; changed by this one. */
  places: ForgettingPlaces;
}

/** A place in each of the lists that runs go through. */
export interface ForgettingPlaces {
  readonly aged: Place<PageCursor>;
  readonly excess: Place<ExcessCursor>;
  readonly uncompacted: Place<PageCursor>;
}

/** The beginning of the list, without a cursor. */
interface Place<Cursor> {
  cursor?: Cursor;
}

export function firstPlaces(): ForgettingPlaces {
  return { aged: {}, excess: {}, uncompacted: {} };
}

export interface Forgotten {
  removed: number;
  compacted: number;
}

const PAGE = 100;
/** What is left after this many pages waits for the next run, which goes on there. */
const MOST_PAGES = 50;
const HOUR = 3_600_000;

/**
 * Removes and compacts what the options say, a page at a time; the rest of the process gets its turn after every task. Each
 * page begins where the one before ended, and the first of a run where the run before had to stop: tasks that are kept for
 * now hide none behind them, however many they are.
 */
export async function forgetTasks(options: ForgettingOptions): Promise<Forgotten> {
  const { retention, now, maxAgeHours, maxEndedTasks, compactAfterHours, places } = options;
  const before = (hours: number): number => now - hours * HOUR;
  const forgotten: Forgotten = { removed: 0, compacted: 0 };
  if (maxAgeHours !== undefined) {
    const until = before(maxAgeHours);
    forgotten.removed += await inPages(options, removeTask, places.aged, (from) =>
      retention.listEnded({ until, limit: PAGE, ...from }),
    );
  }
  if (maxEndedTasks !== undefined) {
    forgotten.removed += await inPages(options, removeTask, places.excess, (from) =>
      retention.listExcess({ keep: maxEndedTasks, limit: PAGE, ...from }),
    );
  }
  if (compactAfterHours !== undefined) {
    const until = before(compactAfterHours);
    forgotten.compacted = await inPages(options, compactTask, places.uncompacted, (from) =>
      retention.listEnded({ until, untrimmed: true, limit: PAGE, ...from }),
    );
  }
  return forgotten;
}

/** Leaves in `place` where it had to stop, and nothing when it came to the end of the list. */
async function inPages<Cursor>(
  options: ForgettingOptions,
  forget: (options: ForgettingOptions, taskId: string) => Promise<boolean>,
  place: Place<Cursor>,
  readPage: (from: Place<Cursor>) => Promise<EndedPage<Cursor>>,
): Promise<number> {
  let done = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { tasks, nextCursor } = await readPage(place);
    for (const { taskId } of tasks) {
      if (options.signal.aborted) return done;
      if ((await mayBeForgotten(options, taskId)) && (await forget(options, taskId))) done += 1;
    }
    if (nextCursor === undefined) {
      delete place.cursor;
      return done;
    }
    place.cursor = nextCursor;
  }
  return done;
}

/** Not while a late answer may still come, and not before every notification has arrived or was given up. */
async function mayBeForgotten({ store, isLive }: ForgettingOptions, taskId: string): Promise<boolean> {
  if (isLive(taskId)) return false;
  const targets = await new TargetRecords(store).list(taskId);
  return !targets.some(({ target }) => isActive(target));
}

/** Forgets one task that has ended, and what belongs to it; false if there is none, or somebody needs it. */
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
  const loaded = await loadFold(store, taskId);
  if (loaded === undefined) return false;
  await store.writeSnapshot(taskId, { sequence: loaded.sequence, json: loaded.fold.toSnapshot() });
  return retention.trimJournal(taskId);
}
