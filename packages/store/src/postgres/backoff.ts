import { setTimeout as pause } from 'node:timers/promises';

const FIRST_MILLISECONDS = 50;
const LONGEST_MILLISECONDS = 2000;

export interface Backoff {
  /** Waits, about twice as long each time. The signal ends the wait. */
  next(signal?: AbortSignal): Promise<void>;
}

/** Exponential backoff with jitter, so that replicas that lost the server together do not reconnect together. */
export function backoff(): Backoff {
  let longest = FIRST_MILLISECONDS;
  return {
    async next(signal) {
      const milliseconds = longest * (0.5 + Math.random() / 2);
      longest = Math.min(longest * 2, LONGEST_MILLISECONDS);
      await pause(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => {});
    },
  };
}
