import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { A2AError } from '@holdword/protocol';

/** Converts a failure of the agent or of the connection to an A2AError; returns other errors unchanged. */
export function callFailure(error: unknown): unknown {
  if (isConnectionError(error)) {
    const text = `The agent cannot be reached: ${error.message}. Check that it is running, then try again.`;
    return new A2AError('UNAVAILABLE', text, { cause: error });
  }
  if (isForbiddenUrlError(error)) {
    const text = `The agent cannot be called: the address in its card is not allowed because ${error.message}.`;
    return new A2AError('PERMISSION_DENIED', text, { cause: error });
  }
  if (isTimeout(error)) {
    return new A2AError(
      'UNAVAILABLE',
      'The agent did not answer in time. Try again, or allow it more time.',
      {
        cause: error,
      },
    );
  }
  return error;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
