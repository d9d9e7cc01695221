import { isA2AError } from '@holdword/protocol';

const MIN_MILLISECONDS = 100;
const MAX_MILLISECONDS = 5_000;

/** How long to wait before the next attempt: longer each time, never all clients at once, and as the agent asks. */
export function retryPause(attempt: number, error?: unknown): number {
  const asked = isA2AError(error) ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked * 1000;
  const longest = Math.min(MAX_MILLISECONDS, MIN_MILLISECONDS * 2 ** attempt);
  return longest / 2 + Math.random() * (longest / 2);
}
