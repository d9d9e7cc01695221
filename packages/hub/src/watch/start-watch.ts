import type { Log } from '@parley/runtime';
import type { Heartbeats, MissedAgent } from '../heartbeats/heartbeats.ts';

export interface WatchOptions {
  readonly heartbeats: Heartbeats;
  readonly everyMilliseconds: number;
  readonly log: Log;
  /** Told before it is forgotten that the agent was due: it may be told twice, after a crash. */
  readonly onMissed: (missed: MissedAgent) => Promise<void>;
  /** Does what is left from earlier rounds. */
  readonly afterwards?: () => Promise<void>;
}

export interface Watch {
  /** Resolves when the round that is under way has ended. */
  stop(): Promise<void>;
}

const PAGE = 100;

/** Looks for agents that miss their cadence, round after round. A round that fails is logged, and the next one tries again. */
export function startWatch(options: WatchOptions): Watch {
  const { everyMilliseconds, log } = options;
  let running: Promise<void> | undefined;
  const round = (): void => {
    running ??= watchOnce(options)
      .catch((error: unknown) => {
        log.error('Agents that miss their cadence were not looked for; the next round tries again.', {
          error: String(error),
        });
      })
      .finally(() => (running = undefined));
  };
  const timer = setInterval(round, everyMilliseconds);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** One round of the watch. */
export async function watchOnce(options: Omit<WatchOptions, 'everyMilliseconds'>): Promise<void> {
  const { heartbeats, log, onMissed, afterwards } = options;
  let looked: number;
  do {
    looked = await heartbeats.takeMissed(PAGE, async (missed) => {
      log.warn('An agent missed its cadence.', { ...missed });
      await onMissed(missed);
    });
  } while (looked === PAGE);
  await afterwards?.();
}
