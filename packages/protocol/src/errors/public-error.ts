import { A2AError, isA2AError } from './a2a-error.ts';

const NEUTRAL_MESSAGE = 'The agent met an internal error. Try again; if it stays, tell its operator.';

/** What a caller may learn of a failure: an A2AError as it is, of anything else only that it happened. */
export function toPublicError(error: unknown): A2AError {
  return isA2AError(error) ? error : new A2AError('INTERNAL', NEUTRAL_MESSAGE, { cause: error });
}
