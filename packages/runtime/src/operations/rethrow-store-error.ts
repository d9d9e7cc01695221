import { A2AError } from '@holdword/protocol';
import { isStoreError, type StoreErrorCode } from '@holdword/store';

/** The same request may succeed the next time. */
const RETRYABLE: Partial<Record<StoreErrorCode, string>> = {
  unavailable: 'The agent cannot access its data at the moment. Retry in a few seconds.',
  'stale-fence': 'Another process of this server has taken over the task. Get the task, then retry.',
};

/** Rejects with an error that the caller can act on if the store failed, otherwise with the same error. */
export function rethrowStoreError(error: unknown): never {
  const message = isStoreError(error) ? RETRYABLE[error.code] : undefined;
  if (message === undefined) throw error;
  throw new A2AError('UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
}
