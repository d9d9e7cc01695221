import { A2AError } from '@holdword/protocol';
import { isStoreError, type StoreErrorCode } from '@holdword/store';

/** Nothing was answered, and the same call may go well the next time. */
const PASSING: Partial<Record<StoreErrorCode, string>> = {
  unavailable: 'The agent cannot reach its data right now. Try again in a few seconds.',
  'stale-fence': 'Another process of this server took the task meanwhile. Look at the task, then try again.',
};

/** Rejects with what a caller can act on where the store is in trouble, with the same error otherwise. */
export function refuseForStore(error: unknown): never {
  const message = isStoreError(error) ? PASSING[error.code] : undefined;
  if (message === undefined) throw error;
  throw new A2AError('UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
}
