import type { Log } from '@holdword/runtime';

export interface PeriodicJobOptions {
  readonly everyMilliseconds: number;
  /** What is done in each round; the signal fires when no more are wanted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** What is logged when a round fails; the next one tries again. */
  readonly failure: string;
  readonly log: Log;
}

export interface PeriodicJob {
  /** Resolves when the round that is under way has ended. */
  stop(): Promise<void>;
}

/** Does something again and again, never twice at once. It keeps no process alive. */
export function startPeriodicJob({ everyMilliseconds, run, failure, log }: PeriodicJobOptions): PeriodicJob {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= run(stopping.signal)
      .catch((error: unknown) => log.error(failure, { error: String(error) }))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(begin, everyMilliseconds);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
