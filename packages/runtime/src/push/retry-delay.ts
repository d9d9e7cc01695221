const BASE_MILLISECONDS = 500;
const LONGEST_ASKED_MILLISECONDS = 60 * 60_000;

export interface RetryLimits {
  /** The bound stops growing here. */
  longestMilliseconds: number;
  /** What the receiver asked for with `Retry-After`. */
  askedMilliseconds?: number | undefined;
}

/**
 * How long to wait after this many failures in a row: a random time up to a bound that doubles each time (exponential
 * backoff with full jitter), so that targets that failed together are not retried together. Never less than the
 * receiver asked for, within reason.
 */
export function retryDelay(
  attempts: number,
  { longestMilliseconds, askedMilliseconds = 0 }: RetryLimits,
  random: () => number = Math.random,
): number {
  const bound = Math.min(longestMilliseconds, BASE_MILLISECONDS * 2 ** Math.min(attempts, 30));
  const asked = Math.min(askedMilliseconds, LONGEST_ASKED_MILLISECONDS);
  return Math.round(asked + random() * bound);
}
