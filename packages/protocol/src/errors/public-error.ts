import { A2AError, isA2AError } from './a2a-error.ts';

const NEUTRAL_MESSAGE =
  'Internal error of the agent. Try again; if the problem persists, contact its operator.';

/** What a caller may see of an error: an A2AError as it is, any other error only as an internal error. */
export function toPublicError(error: unknown): A2AError {
  return isA2AError(error) ? error : new A2AError('INTERNAL', NEUTRAL_MESSAGE, { cause: error });
}
