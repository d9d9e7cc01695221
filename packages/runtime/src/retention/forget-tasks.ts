import type { Retention, Store, TaskHeader } from '@parley/store';
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
}

export interface Forgotten {
  removed: number;
  compacted: number;
}

const PAGE = 100;
/** What is left after this many pages waits for the next run. */
const MOST_PAGES = 50;
const HOUR = 3_600_000;

/** Removes and compacts what the options say, a page at a time; the rest of the process gets its turn after every task. */
export async function forgetTasks(options: ForgettingOptions): Promise<Forgotten> {
  const { retention, now, maxAgeHours, maxEndedTasks, compactAfterHours } = options;
  const before = (hours: number): number => now - hours * HOUR;
  const forgotten: Forgotten = { removed: 0, compacted: 0 };
  if (maxAgeHours !== undefined) {
    const page = () => retention.listEnded({ until: before(maxAgeHours), limit: PAGE });
    forgotten.removed += await inPages(options, page, removeTask);
  }
  if (maxEndedTasks !== undefined) {
    const page = () => retention.listExcess(maxEndedTasks, PAGE);
    forgotten.removed += await inPages(options, page, removeTask);
  }
  if (compactAfterHours !== undefined) {
    const page = () =>
      retention.listEnded({ until: before(compactAfterHours), untrimmed: true, limit: PAGE });
    forgotten.compacted = await inPages(options, page, compactTask);
  }
  return forgotten;
}

/** Every page begins at the oldest: what was done is not on the next one. Ends when a page brings nothing new. */
async function inPages(
  options: ForgettingOptions,
  readPage: () => Promise<TaskHeader[]>,
  forget: (options: ForgettingOptions, taskId: string) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await readPage();
    let doneHere = 0;
    for (const { taskId } of page) {
      if (options.signal.aborted) return done;
      if (await mayBeForgotten(options, taskId)) doneHere += (await forget(options, taskId)) ? 1 : 0;
    }
    done += doneHere;
    if (page.length < PAGE || doneHere === 0) return done;
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
