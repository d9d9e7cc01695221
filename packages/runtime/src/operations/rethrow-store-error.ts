import { A2AError } from '@holdword/protocol';
import { isStoreError, type StoreErrorCode } from '@holdword/store';

const UNAVAILABLE = 'The agent cannot access its data at the moment. Retry in a few seconds.';

const DAMAGED =
  'The data of the server is damaged. Its operator has to repair or restore it; retrying does not help.';
const FULL =
  'The server has no disk space left to store this. Nothing was done; retry when its operator has freed some.';
const FULL_RETRY_SECONDS = 10;

const DELETED = 'The task was deleted meanwhile. Send a message without taskId to start a new task.';

/** The same request may succeed the next time. */
const RETRYABLE: Partial<Record<StoreErrorCode, string>> = {
  unavailable: UNAVAILABLE,
  'stale-fence': 'Another process of this server has taken over the task. Get the task, then retry.',
};

/** The answer while the store cannot be reached. */
export function storeUnavailable(cause?: unknown): A2AError {
  if (isStoreError(cause) && cause.isDiskFull) return diskFull(cause);
  return new A2AError('UNAVAILABLE', UNAVAILABLE, { retryAfterSeconds: 2, cause });
}

function diskFull(cause: unknown): A2AError {
  return new A2AError('UNAVAILABLE', FULL, { retryAfterSeconds: FULL_RETRY_SECONDS, cause });
}

/** Rejects with an error that the caller can act on if the store failed, otherwise with the same error. */
export function rethrowStoreError(error: unknown): never {
  if (!isStoreError(error)) throw error;
  if (error.code === 'unknown-task') throw new A2AError('TASK_NOT_FOUND', DELETED, { cause: error });
  if (error.code === 'corrupt') throw new A2AError('INTERNAL', DAMAGED, { cause: error });
  const message = RETRYABLE[error.code];
  if (message === undefined) throw error;
  if (error.isDiskFull) throw diskFull(error);
  throw new A2AError('UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
}
