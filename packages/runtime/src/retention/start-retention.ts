import type { Store } from '@holdword/store';
import type { Log } from '../log.ts';
import { firstPlaces, forgetTasks } from './forget-tasks.ts';
import { retentionOf } from './retention-of.ts';
import type { RetentionOptions } from './retention-options.ts';

export interface RetentionRun {
  /** Ends the run under way after the task it is at. */
  stop(): Promise<void>;
}

const PAUSE_MILLISECONDS = 60_000;

/** Forgets tasks in the background, now and every minute. */
export function startRetention(
  store: Store,
  log: Log,
  options: RetentionOptions,
  isLive: (taskId: string) => boolean,
): RetentionRun {
  const retention = retentionOf(store);
  const stopping = new AbortController();
  const { signal } = stopping;
  const places = firstPlaces();
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
        places,
      });
      if (removed + compacted > 0) log.info('Forgot tasks that have ended.', { removed, compacted });
    } catch (error) {
      log.error('Tasks that have ended were not forgotten; it is tried again.', { error: String(error) });
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
