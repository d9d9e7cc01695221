import type { Log } from '@holdword/runtime';

export interface PeriodicJobOptions {
  readonly everyMilliseconds: number;
  /** The work of each run; the signal aborts when the job is stopped. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Logged when a run fails; the next run tries again. */
  readonly failure: string;
  readonly log: Log;
}

export interface PeriodicJob {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs a job periodically, without overlapping runs. Does not keep the process alive. */
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
