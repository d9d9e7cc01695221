import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { type A2AError, isA2AError, type A2AErrorCode } from '@holdword/protocol';
import { hasRemoteText, quotedMessage, quoteRemoteText } from '@holdword/protocol/internal';
import { countOf, shortenText } from '../artifacts/shorten.ts';
import { stateForLlm } from '../llm/for-llm.ts';
import { type TaskFailure, taskOfFailure, withoutAdvice } from '../session/call-failure.ts';
import { type UncertainSend, uncertainSendOf } from '../session/send-reliably.ts';

/** What a tool returns instead of a result if it fails. */
export type ToolError = { error: true; error_message: string };

const MAX_MESSAGE_LENGTH = 2_000;
const MAX_ID_LENGTH = 200;

const NEXT_STEPS: Partial<Record<A2AErrorCode, string>> = {
  TASK_NOT_FOUND: 'Check the agent id and the task id, or start a new task with sendMessage.',
  TASK_NOT_CANCELABLE: 'Call getTask to see whether it has ended.',
  INVALID_AGENT_RESPONSE: 'Tell the user that this agent does not work properly.',
  VERSION_NOT_SUPPORTED: 'Tell the user, or choose another agent with getAgents.',
  UNSUPPORTED_OPERATION: 'Call getAgent to see what the agent can do.',
  METHOD_NOT_FOUND: 'Call getAgent to see what the agent can do.',
  CONTENT_TYPE_NOT_SUPPORTED: 'Call getAgent to see what the agent can do.',
  PARSE_ERROR: 'Correct the arguments and call again.',
  INVALID_REQUEST: 'Correct the arguments and call again.',
  INVALID_PARAMS: 'Correct the arguments and call again.',
  REQUEST_TOO_LARGE: 'Send a shorter message.',
  UNAUTHENTICATED: 'Tell the user that the credentials for this agent must be fixed first.',
  PERMISSION_DENIED: 'Tell the user that this agent does not allow it. Do not retry.',
  UNAVAILABLE: 'Call getAgents to see which agents can be reached.',
};
/** For these, a model must do something else than a program: it cannot change a request, only call tools. */
const OWN_ADVICE: ReadonlySet<A2AErrorCode> = new Set([
  'TASK_NOT_FOUND',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'UNAVAILABLE',
]);
/** What a model can do instead if an agent does not have an operation: those of A2A 0.3 cannot list tasks, others cannot cancel them. */
const INSTEAD_OF: Readonly<Record<string, string>> = {
  listTasks: 'This agent cannot list tasks. Call getTask with the ID of a task that you know.',
  cancelTask:
    'This agent cannot cancel the task, which keeps running. Call getTask to see what becomes of it.',
};
/** The policy of this client, not the agent's: a model cannot change it, its user can. */
const AFTER_FORBIDDEN = 'Tell the user. Do not retry.';
const OTHERWISE = 'Try again, or choose another agent with getAgents.';
const AFTER_UNEXPECTED = 'Tell the user, or choose another agent with getAgents.';

const ADVICE_FOR = new WeakMap<object, string>();

/** Says what a model should do about an error, if a tool knows it better than its code. */
export function withToolAdvice(error: A2AError, advice: string): A2AError {
  ADVICE_FOR.set(error, advice);
  return error;
}

function adviceFor(error: unknown): string | undefined {
  return isA2AError(error) ? ADVICE_FOR.get(error) : undefined;
}

/** For programs: a model tells its user. */
const REPORT = / Report this to its operator\.$/;

/** Where the advice at the end of a message begins. */
const ADVICE =
  /(?<=[.!?])\s+(?:Ask|Call|Check|Close|Correct|Delete|Get|List|Name|Omit|Poll|Read|Remove|Retry|Send|Start|Stream|Subscribe|Try|Use|Wait)\b[^]*$/;

/**
 * Converts an error to data: what happened and what to do next. What an agent wrote is quoted, whole, and our own advice follows
 * it. Unexpected errors are not shown: they may contain secrets.
 */
export function toolError(given: unknown, tool?: string): ToolError {
  const error = withoutAdvice(given);
  const failure = taskOfFailure(error);
  if (failure !== undefined) return afterTask(failure);
  const uncertain = uncertainSendOf(error);
  if (uncertain !== undefined) return uncertainSend(uncertain, secondsToWait(error));
  const message = whatHappened(error);
  const instead = adviceFor(error) ?? (isUnsupported(error) ? INSTEAD_OF[tool ?? ''] : undefined);
  if (instead !== undefined) return failed(`${asHappened(error, message)} ${instead}`);
  const isAdvised = isA2AError(error) && !hasRemoteText(error) && ADVICE.test(message);
  if (!isAdvised) return failed(`${message.replace(REPORT, '')} ${nextStep(error)}`);
  // The advice of the client is more specific than that for its code, with few exceptions.
  const isReplaced = OWN_ADVICE.has(error.code) || error.retryAfterSeconds !== undefined;
  return failed(isReplaced ? `${asHappened(error, message)} ${nextStep(error)}` : message);
}

function isUnsupported(error: unknown): boolean {
  return isA2AError(error) && (error.code === 'UNSUPPORTED_OPERATION' || error.code === 'METHOD_NOT_FOUND');
}

/** A message of ours without its advice, which is for programs. What an agent wrote stays whole. */
function asHappened(error: unknown, message: string): string {
  return hasRemoteText(error) ? message : message.replace(ADVICE, '');
}

/** The work is not lost, so nothing is repeated: the task is looked at again. */
function afterTask({ taskId, state, original }: TaskFailure): ToolError {
  const happened = asHappened(original, whatHappened(original));
  const task = quoteRemoteText(taskId, MAX_ID_LENGTH);
  const known =
    original.code === 'TASK_NOT_FOUND'
      ? `The agent had accepted the message: its task is ${task}, last seen in the state "${stateForLlm(state)}". The work may have been done. ` +
        `Tell the user; do not send the message again.`
      : `The task is ${task}. Call getTask with this ID${waiting(secondsToWait(original))}; do not send the message again.`;
  return failed(`${happened} ${known}`);
}

/** Nobody knows whether the agent works on the message. */
export function uncertainSend(
  { happened, idempotent, message: { taskId } }: UncertainSend,
  seconds?: number,
): ToolError {
  const look =
    taskId === undefined
      ? 'look with listTasks, if you have that tool, or ask the user'
      : `look with getTask at the task ${quoteRemoteText(taskId, MAX_ID_LENGTH)}`;
  const advice = idempotent
    ? `Call sendMessage again with the same arguments${waiting(seconds)}: the agent processes the message only once.`
    : `Do not send it again before you know that it did not arrive: ${look}.`;
  return failed(
    `${asSentence(tidyMessage(happened))} It is not known whether the message arrived. ${advice}`,
  );
}

function secondsToWait(error: unknown): number | undefined {
  return isA2AError(error) ? error.retryAfterSeconds : undefined;
}

function waiting(seconds: number | undefined): string {
  return seconds === undefined ? '' : ` in ${countOf(Math.ceil(seconds), 'second')}`;
}

/** Removes stack traces and addresses from an error message. Agents write their own messages, and some include them. */
export function tidyMessage(message: string): string {
  // Shortened first, so that the replacements below are fast, whatever an agent sends.
  return shortenText(message, MAX_MESSAGE_LENGTH)
    .replaceAll(/\n[ \t]+at [^\n]*/g, '')
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]*[^\s"'<>)\].,;:!?]/gi, '[address]')
    .trim();
}

function failed(error_message: string): ToolError {
  return { error: true, error_message };
}

function whatHappened(error: unknown): string {
  if (isA2AError(error)) return asSentence(tidyMessage(quotedMessage(error)));
  return whatHappenedHere(error) ?? 'An unexpected error occurred in the client, not in the agent.';
}

/** Undefined if the error is unexpected. */
function whatHappenedHere(error: unknown): string | undefined {
  if (isConnectionError(error)) return `The agent cannot be reached: ${asSentence(error.message)}`;
  if (isForbiddenUrlError(error)) return `The agent cannot be called because ${asSentence(error.message)}`;
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate ? 'The agent did not answer in time.' : undefined;
}

function nextStep(error: unknown): string {
  if (isForbiddenUrlError(error)) return AFTER_FORBIDDEN;
  if (!isA2AError(error)) return whatHappenedHere(error) === undefined ? AFTER_UNEXPECTED : OTHERWISE;
  if (error.retryAfterSeconds !== undefined) return `Try again${waiting(error.retryAfterSeconds)}.`;
  if (isForbiddenUrlError(error.cause)) return AFTER_FORBIDDEN;
  return NEXT_STEPS[error.code] ?? OTHERWISE;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
