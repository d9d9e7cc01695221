import { isA2AError } from '@holdword/protocol';

const MIN_MILLISECONDS = 100;
const MAX_MILLISECONDS = 5_000;

/** The delay before the next attempt: as the agent asks, otherwise exponential backoff with jitter. */
export function retryPause(attempt: number, error?: unknown): number {
  const asked = isA2AError(error) ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked * 1000;
  const backoff = Math.min(MAX_MILLISECONDS, MIN_MILLISECONDS * 2 ** attempt);
  return backoff / 2 + Math.random() * (backoff / 2);
}
