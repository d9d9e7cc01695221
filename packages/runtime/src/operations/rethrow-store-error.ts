import { A2AError } from '@holdword/protocol';
import { isStoreError, type StoreErrorCode } from '@holdword/store';

const UNAVAILABLE = 'The agent cannot access its data at the moment. Retry in a few seconds.';

/** The same request may succeed the next time. */
const RETRYABLE: Partial<Record<StoreErrorCode, string>> = {
  unavailable: UNAVAILABLE,
  'stale-fence': 'Another process of this server has taken over the task. Get the task, then retry.',
};

/** The answer while the store cannot be reached. */
export function storeUnavailable(cause?: unknown): A2AError {
  return new A2AError('UNAVAILABLE', UNAVAILABLE, { retryAfterSeconds: 2, cause });
}

/** Rejects with an error that the caller can act on if the store failed, otherwise with the same error. */
export function rethrowStoreError(error: unknown): never {
  const message = isStoreError(error) ? RETRYABLE[error.code] : undefined;
  if (message === undefined) throw error;
  throw new A2AError('UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
}
