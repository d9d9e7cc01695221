import type { Store } from '@holdword/store';
import type { Log } from '../log.ts';
import { firstPositions, forgetTasks } from './forget-tasks.ts';
import { retentionOf } from './retention-of.ts';
import type { RetentionOptions } from './retention-options.ts';

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
      if (removed + compacted > 0) log.info('Removed ended tasks.', { removed, compacted });
    } catch (error) {
      log.error('Could not remove ended tasks. Retrying with the next run.', { error: String(error) });
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
