const BASE_MILLISECONDS = 500;
const LONGEST_MILLISECONDS = 5 * 60_000;
const LONGEST_ASKED_MILLISECONDS = 60 * 60_000;

/**
 * How long to wait after so many failures in a row: any time up to a bound that doubles each time, so that targets that
 * failed together do not come back together. Never less than the receiver asked for, within reason.
 */
export function retryDelay(
  attempts: number,
  askedMilliseconds = 0,
  random: () => number = Math.random,
): number {
  const bound = Math.min(LONGEST_MILLISECONDS, BASE_MILLISECONDS * 2 ** Math.min(attempts, 20));
  const asked = Math.min(askedMilliseconds, LONGEST_ASKED_MILLISECONDS);
  return Math.round(asked + random() * bound);
}
