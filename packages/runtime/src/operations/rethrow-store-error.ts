import { A2AError } from '@holdword/protocol';
import { isStoreError, type StoreErrorCode } from '@holdword/store';

const UNAVAILABLE = 'The agent cannot access its data at the moment. Retry in a few seconds.';

const DELETED = 'The task was deleted meanwhile. Send a message without taskId to start a new task.';

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
  if (!isStoreError(error)) throw error;
  if (error.code === 'unknown-task') throw new A2AError('TASK_NOT_FOUND', DELETED, { cause: error });
  const message = RETRYABLE[error.code];
  if (message === undefined) throw error;
  throw new A2AError('UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
}
