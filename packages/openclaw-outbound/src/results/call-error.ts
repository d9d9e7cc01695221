import { callFailure, tidyMessage, type TimeLimit } from '@holdword/client';
import { isA2AError, isObject, type A2AError, type A2AErrorCode, type JsonObject } from '@holdword/protocol';
import { RemoteAgentError } from './remote-agent-error.ts';

const MOST_KEYS = 20;
const LONGEST_VALUE = 200;

const HINTS: Partial<Record<A2AErrorCode, string>> = {
  TASK_NOT_FOUND: 'The agent does not know this task, or not for this caller. Begin a new one with send.',
  TASK_NOT_CANCELABLE: 'Call status: the task may have ended.',
  UNSUPPORTED_OPERATION: 'Call list_targets to see what the agent can do; status works where watch does not.',
  CONTENT_TYPE_NOT_SUPPORTED: 'Compare capability_diagnostics with what was sent.',
  UNAUTHENTICATED: 'Tell the user: the credentials for this target must be set right first.',
  PERMISSION_DENIED: 'Tell the user: this is not allowed, trying again does not help.',
  UNAVAILABLE: 'Try again later, or choose another target with list_targets.',
  RESOURCE_EXHAUSTED: 'The agent is busy. Try again later.',
  INVALID_AGENT_RESPONSE: 'The agent does not answer as A2A demands. Choose another target.',
};

/** What a call that failed is to the model. */
export function callError(error: unknown, limit: TimeLimit): unknown {
  if (error instanceof RemoteAgentError) return error;
  if (isStopped(limit)) {
    return new RemoteAgentError('A2A_SDK_ERROR', 'request was aborted', {
      hint: 'The turn was stopped, and with it what this call had begun.',
    });
  }
  if (limit.isUp) return timedOut(error);
  const known = callFailure(error);
  return isA2AError(known) ? remoteError(known) : error;
}

/** The caller has given up. */
export function isStopped(limit: TimeLimit): boolean {
  try {
    limit.throwIfStopped();
    return false;
  } catch {
    return true;
  }
}

export function timedOut(cause?: unknown): RemoteAgentError {
  return new RemoteAgentError(
    'A2A_SDK_ERROR',
    'request timed out',
    {
      hint: 'Give it more time with timeout_ms, or send with task_requirement="required" and ask later with status or watch.',
    },
    cause,
  );
}

function remoteError(error: A2AError): RemoteAgentError {
  const hint = HINTS[error.code];
  const details: JsonObject = {
    errorName: error.code,
    ...rpcDetails(error.cause),
    ...(error.fields.length > 0 && { fields: error.fields.slice(0, MOST_KEYS) }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    ...(hint !== undefined && { hint }),
  };
  return new RemoteAgentError('A2A_SDK_ERROR', tidyMessage(error.message), details, error);
}

function rpcDetails(cause: unknown): JsonObject {
  if (!isObject(cause) || typeof cause['code'] !== 'number') return {};
  const { code, data } = cause;
  return { rpcCode: code, ...(data !== undefined && data !== null && { rpcData: summaryOf(data) }) };
}

/** Agents put anything into the data of an error, stack traces among it: its shape is told, not its content. */
function summaryOf(data: unknown): unknown {
  if (Array.isArray(data)) return { type: 'array', length: data.length };
  if (isObject(data)) return { type: 'object', keys: Object.keys(data).slice(0, MOST_KEYS).map(shorten) };
  return typeof data === 'string' ? shorten(tidyMessage(data)) : data;
}

function shorten(text: string): string {
  return text.slice(0, LONGEST_VALUE);
}
