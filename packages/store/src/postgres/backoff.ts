import { setTimeout as pause } from 'node:timers/promises';

const FIRST_MILLISECONDS = 50;
const LONGEST_MILLISECONDS = 2000;

export interface Backoff {
  /** Waits, each time about twice as long; less when the signal fires. */
  next(signal?: AbortSignal): Promise<void>;
}

/** Pauses between attempts. Replicas that lost the same server at once do not come back at once. */
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
