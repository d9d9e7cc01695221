/** More than this is not waited for, however long a server asks for with `Retry-After`. */
const LONGEST_ASKED_MILLISECONDS = 60 * 60_000;
/** Doubling further would overflow; every bound is reached long before. */
const MAX_DOUBLINGS = 30;

/** How long retries wait. */
export interface BackoffOptions {
  /** The bound of the first delay. It doubles with each failure. */
  readonly firstMilliseconds: number;
  /** The bound stops growing here. */
  readonly longestMilliseconds: number;
  /** What the other side asked for, as with `Retry-After`. */
  readonly askedMilliseconds?: number | undefined;
}

/**
 * How long to wait before the next attempt, after this many failures before the current one: exponential backoff with
 * jitter, so that callers that failed together do not retry together. Between half of the bound and the bound; never less
 * than the other side asked for, up to an hour.
 */
export function backoffDelay(
  failuresBefore: number,
  { firstMilliseconds, longestMilliseconds, askedMilliseconds }: BackoffOptions,
  random: () => number = Math.random,
): number {
  const doublings = Math.min(failuresBefore, MAX_DOUBLINGS);
  const bound = Math.min(longestMilliseconds, firstMilliseconds * 2 ** doublings);
  const asked = Math.min(askedMilliseconds ?? 0, LONGEST_ASKED_MILLISECONDS);
  return asked > 0 ? asked + random() * bound : bound / 2 + random() * (bound / 2);
}
