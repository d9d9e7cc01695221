import { isConnectionError } from '@holdword/net/internal';
import { isA2AError } from '@holdword/protocol';
import { backoffDelay, ERROR_TABLE } from '@holdword/protocol/internal';

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  return isConnectionError(error) || (isA2AError(error) && ERROR_TABLE[error.code].retry);
}

/** Whether the agent asks its callers to come back later. */
export function asksToWait(error: unknown): boolean {
  return isA2AError(error) && (error.code === 'RESOURCE_EXHAUSTED' || error.retryAfterSeconds !== undefined);
}

/** An agent that has too much to do gets more time than one that restarts. */
const OVERLOADED = { firstMilliseconds: 1_000, longestMilliseconds: 30_000 };
const UNREACHABLE = { firstMilliseconds: 100, longestMilliseconds: 5_000 };

/** How long to wait before the next attempt: at least as long as the agent asks. */
export function retryDelay(failuresBefore: number, error?: unknown): number {
  const asked = isA2AError(error) ? error.retryAfterSeconds : undefined;
  const isOverloaded = isA2AError(error) && error.code === 'RESOURCE_EXHAUSTED' && asked === undefined;
  return backoffDelay(failuresBefore, {
    ...(isOverloaded ? OVERLOADED : UNREACHABLE),
    askedMilliseconds: asked === undefined ? undefined : asked * 1000,
  });
}
