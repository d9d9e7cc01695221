import { isA2AError } from '@holdword/protocol';
import { isStoreError } from '@holdword/store';
import type { Log } from '../log.ts';

/** Logs failures whose reason callers are not told. */
export function logFailure(log: Log, error: unknown): void {
  if (isA2AError(error) && error.code !== 'INTERNAL') return;
  const cause = isA2AError(error) ? error.cause : undefined;
  // The engine reports damaged data once for all requests.
  if (isStoreError(cause) && cause.code === 'corrupt') return;
  log.error('Internal error while handling a request.', { error: String(cause ?? error) });
}
