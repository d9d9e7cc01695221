import {
  callFailure,
  isTooLarge,
  redirectOf,
  rootCardOf,
  tidyMessage,
  type TimeLimit,
  tooLargeReason,
} from '@holdword/client/internal';
import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import {
  type A2AError,
  type A2AErrorCode,
  isA2AError,
  type JsonObject,
  type V03Event,
} from '@holdword/protocol';
import { hasRemoteText, isObject, shorten } from '@holdword/protocol/internal';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { plausibleId } from '../remote-ids.ts';
import type { EventLog } from './event-log.ts';
import { isCardFailure } from './remote-call.ts';

const MAX_KEYS = 20;
const MAX_VALUE_LENGTH = 200;

const HINTS: Record<A2AErrorCode, string> = {
  TASK_NOT_FOUND:
    'The agent does not know this task, or it belongs to another caller. If the agent had accepted it, the work may have been done: ask the user before you start a new one with send.',
  TASK_NOT_CANCELABLE: 'Call status: the task may have ended.',
  UNSUPPORTED_OPERATION: 'The agent does not support this. Call list_targets to see what it supports.',
  CONTENT_TYPE_NOT_SUPPORTED: 'Compare what was sent with capability_diagnostics.',
  UNAUTHENTICATED: 'Tell the user that the credentials of this target must be corrected.',
  PERMISSION_DENIED: 'Tell the user that this is not allowed. Do not retry.',
  UNAVAILABLE: 'Try again later, or choose another target with list_targets.',
  RESOURCE_EXHAUSTED:
    'A limit of the agent is used up, and it does not say that waiting helps. Tell the user, or choose another target.',
  INVALID_AGENT_RESPONSE: 'The agent does not follow the A2A protocol. Choose another target.',
  INTERNAL: 'The agent failed. Try again later, or choose another target with list_targets.',
  INVALID_REQUEST: 'Sending the same again does not help. Tell the user, or choose another target.',
  INVALID_PARAMS: 'Correct what the agent complains about, then send it again.',
  PARSE_ERROR: 'The agent cannot read the request. Choose another target.',
  METHOD_NOT_FOUND: 'The agent does not support this. Call list_targets to see what it supports.',
  PUSH_NOTIFICATION_NOT_SUPPORTED: 'Send it again without push_notification_config, and use watch.',
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: 'Call list_targets: the public card is all that the agent offers.',
  EXTENSION_SUPPORT_REQUIRED:
    'The agent requires an extension that this plugin does not have. Choose another target.',
  VERSION_NOT_SUPPORTED: 'The agent does not speak this version of A2A. Choose another target.',
  IDEMPOTENCY_CONFLICT:
    'The agent has another message under this id. Call status if there is a task; otherwise send a new message.',
  REQUEST_TOO_LARGE: 'Send less: shorter texts, or smaller or fewer files.',
  TASK_GENERATION_MISMATCH: 'The task has changed since it was read. Call status, then try again.',
};

const BUSY = 'The agent is busy. Try again later.';
const TOO_LARGE =
  'The answer is larger than limits.responseBytes of this plugin. Ask the agent for less, or tell the user to raise the limit.';

const CARD_MOVED =
  'Tell the user that the card of this target has moved. If they trust the address in redirected_to, they can use it as baseUrl and cardPath of the target.';
const NO_CARD = 'Tell the user to check baseUrl and cardPath of this target.';
const FORBIDDEN_ADDRESS =
  'Tell the user. If they trust the host, they can add it to policy.allowHosts; list_targets shows the addresses of the agent.';
const NEVER_CALLED =
  'Tell the user that this agent names an address that is never called, whatever the configuration says. Do not retry.';

/** For a task that the agent has shown and then denies. */
export const TASK_GONE =
  'The agent had accepted the message, but no longer knows its task (details.task_id): the work may have been done. Call status with details.continuation once more; if the task stays unknown, ask the user before you send the message again.';

/** Turns the failure of a call into the tool's error. */
export function callError(error: unknown, limit: TimeLimit): unknown {
  if (error instanceof RemoteAgentError) return error;
  if (isStopped(limit)) {
    return new RemoteAgentError('A2A_SDK_ERROR', 'request was aborted', {
      hint: 'The turn was aborted. A task that this call started is being canceled.',
    });
  }
  if (limit.isExpired) return timedOut(error);
  const known = callFailure(error);
  return isA2AError(known) ? remoteError(known) : error;
}

/** The error of a call that followed events, with its progress. */
export function withStreamDetails(error: unknown, log: EventLog, limit: TimeLimit): unknown {
  const known = callError(error, limit);
  if (!(known instanceof RemoteAgentError)) return known;
  const { latest } = log;
  return known.with({
    partial_event_count: log.count,
    ...(latest && { latest_event_summary: summaryOf(latest) }),
  });
}

function summaryOf(event: V03Event): JsonObject {
  const state = 'status' in event ? { status: event.status.state } : {};
  const taskId = plausibleId(event.kind === 'task' ? event.id : event.taskId);
  return { kind: event.kind, ...(taskId !== undefined && { task_id: taskId }), ...state };
}

/** Whether the caller aborted the call. */
export function isStopped(limit: TimeLimit): boolean {
  try {
    limit.throwIfAborted();
    return false;
  } catch {
    return true;
  }
}

export function timedOut(cause?: unknown): RemoteAgentError {
  return new RemoteAgentError(
    'A2A_SDK_ERROR',
    'request timed out',
    { hint: 'Try again, with a larger timeout_ms if the agent needs more time.' },
    cause,
  );
}

/** An error of the agent, or of the way to it. */
export function remoteError(error: A2AError): RemoteAgentError {
  const redirect = redirectOf(error);
  const details: JsonObject = {
    // First, so that it is never cut: without it, the message is taken for ours.
    ...(hasRemoteText(error) && { source: 'agent' }),
    errorName: error.code,
    ...rpcDetails(error.cause),
    ...(error.fields.length > 0 && { fields: error.fields.slice(0, MAX_KEYS) }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    ...(redirect !== undefined && { redirected_to: redirect }),
    hint: hintFor(error),
  };
  return new RemoteAgentError('A2A_SDK_ERROR', tidyMessage(messageOf(error)), details, error);
}

/** Messages of the client name its options, which the plugin does not have, and give advice of their own. */
function messageOf(error: A2AError): string {
  const { message, cause } = error;
  if (isCardFailure(error)) return message;
  if (isForbiddenUrlError(cause))
    return `The agent cannot be called: the address in its card is not allowed because ${cause.message}.`;
  // The client advises to try again, which the hint may advise against.
  if (isConnectionError(cause) && cause.sent)
    return `The connection to the agent was lost before it had answered: ${cause.message}.`;
  return tooLargeReason(error) ?? message;
}

function hintFor(error: A2AError): string {
  if (redirectOf(error) !== undefined) return CARD_MOVED;
  const rootCard = rootCardOf(error);
  if (rootCard !== undefined) {
    return `Tell the user that a card was found at ${rootCard}. If that is the agent they mean, they can set baseUrl of this target to ${new URL(rootCard).origin}/.`;
  }
  if (isForbiddenUrlError(error.cause)) return error.cause.canBeAllowed ? FORBIDDEN_ADDRESS : NEVER_CALLED;
  if (isTooLarge(error)) return TOO_LARGE;
  if (error.code === 'RESOURCE_EXHAUSTED' && error.retryAfterSeconds !== undefined) return BUSY;
  return isCardFailure(error) && error.code === 'METHOD_NOT_FOUND' ? NO_CARD : HINTS[error.code];
}

function rpcDetails(cause: unknown): JsonObject {
  if (!isObject(cause) || typeof cause['code'] !== 'number') return {};
  const { code, data } = cause;
  return { rpcCode: code, ...(data !== undefined && data !== null && { rpcData: shapeOf(data) }) };
}

/** Agents may put anything into error data, including stack traces, so only its shape is shown. */
function shapeOf(data: unknown): unknown {
  if (Array.isArray(data)) return { type: 'array', length: data.length };
  if (isObject(data))
    return {
      type: 'object',
      keys: Object.keys(data)
        .slice(0, MAX_KEYS)
        .map((key) => shorten(key, MAX_VALUE_LENGTH)),
    };
  return typeof data === 'string' ? shorten(tidyMessage(data), MAX_VALUE_LENGTH) : data;
}
