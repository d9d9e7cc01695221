import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { A2AError, isA2AError } from '@holdword/protocol';

/** Converts an error while fetching an agent card to an A2AError that users and models can read. */
export function cardFailure(agentId: string, error: unknown): A2AError {
  const what = `The card of agent "${agentId}" could not be fetched`;
  if (isConnectionError(error)) {
    return new A2AError(
      'UNAVAILABLE',
      `${what}: ${error.message}. Check that the agent is running, then try again.`,
      { cause: error },
    );
  }
  if (isForbiddenUrlError(error)) {
    return new A2AError('PERMISSION_DENIED', `${what}: its URL is not allowed because ${error.message}.`, {
      cause: error,
    });
  }
  if (isA2AError(error)) return new A2AError(error.code, `${what}: ${error.message}`, { cause: error });
  return new A2AError('INTERNAL', `${what}. Try again.`, { cause: error });
}
