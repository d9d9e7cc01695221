import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { isA2AError, type A2AErrorCode } from '@holdword/protocol';
import { shortenText } from '../artifacts/data/shorten.ts';

/** What a model gets in place of a result. */
export type ToolError = { error: true; error_message: string };

const MAX_MESSAGE_LENGTH = 2_000;

const NEXT_STEPS: Partial<Record<A2AErrorCode, string>> = {
  TASK_NOT_FOUND: 'Check the agent id and the task id, or begin a new task with sendMessage.',
  TASK_NOT_CANCELABLE: 'Call getTask to see whether it has ended.',
  UNSUPPORTED_OPERATION: 'Call getAgent to see what the agent can do.',
  METHOD_NOT_FOUND: 'Call getAgent to see what the agent can do.',
  CONTENT_TYPE_NOT_SUPPORTED: 'Call getAgent to see what the agent can do.',
  PARSE_ERROR: 'Correct the arguments and call again.',
  INVALID_REQUEST: 'Correct the arguments and call again.',
  INVALID_PARAMS: 'Correct the arguments and call again.',
  REQUEST_TOO_LARGE: 'Send a shorter message.',
  UNAUTHENTICATED: 'Tell the user: the credentials for this agent must be set right first.',
  PERMISSION_DENIED: 'Tell the user: this agent does not allow it, trying again does not help.',
  UNAVAILABLE: 'Call getAgents to see which agents can be reached.',
};
const OTHERWISE = 'Try again, or choose another agent with getAgents.';

/** An error as data: what happened, and what to do next. Errors that nobody foresaw are not shown: they may hold secrets. */
export function toolError(error: unknown): ToolError {
  return { error: true, error_message: `${whatHappened(error)} ${nextStep(error)}` };
}

/**
 * The words of an error without what a model must not see. Agents choose the words of their errors, and some put stack
 * traces and addresses into them.
 */
export function tidyMessage(message: string): string {
  // Cut first: what is looked through below is never long, whatever an agent sends.
  return shortenText(message, MAX_MESSAGE_LENGTH)
    .replaceAll(/\n[ \t]+at [^\n]*/g, '')
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]*[^\s"'<>)\].,;:!?]/gi, '[address]')
    .trim();
}

function whatHappened(error: unknown): string {
  if (isA2AError(error)) return asSentence(tidyMessage(error.message));
  if (isConnectionError(error)) return `The agent cannot be reached: ${asSentence(error.message)}`;
  if (isForbiddenUrlError(error)) return `The agent may not be called because ${asSentence(error.message)}`;
  if (error instanceof Error && error.name === 'TimeoutError') return 'The agent did not answer in time.';
  return 'Something unexpected went wrong on the side of the caller, not of the agent.';
}

function nextStep(error: unknown): string {
  if (!isA2AError(error)) return OTHERWISE;
  if (error.retryAfterSeconds !== undefined) return `Try again in ${error.retryAfterSeconds} seconds.`;
  return NEXT_STEPS[error.code] ?? OTHERWISE;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
