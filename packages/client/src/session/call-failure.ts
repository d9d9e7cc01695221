import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { A2AError, isA2AError, type Task, type TaskState } from '@holdword/protocol';
import { quotedMessage } from '@holdword/protocol/internal';
import { countOf } from '../artifacts/shorten.ts';
import type { TimeLimit } from './time-limit.ts';

/** For the operator of this client: what its own policy forbids, it can allow. */
const ALLOW_ADVICE =
  ' If you trust it, allow it with the option "allow" of A2AAgents, or with --allow of "holdword mcp".';

/** Converts a failure of the agent or of the connection to an A2AError; returns other errors unchanged. */
export function callFailure(error: unknown): unknown {
  if (isConnectionError(error)) {
    const text = `The agent cannot be reached: ${error.message}. Check that it is running, then try again.`;
    return new A2AError('UNAVAILABLE', text, { cause: error });
  }
  if (isForbiddenUrlError(error)) {
    const text = `The agent cannot be called: the address in its card is not allowed because ${error.message}.${error.canBeAllowed ? ALLOW_ADVICE : ''}`;
    return new A2AError('PERMISSION_DENIED', text, { cause: error });
  }
  if (isTimeout(error)) {
    const text = 'The agent did not answer in time. Try again, or allow it more time.';
    return new A2AError('UNAVAILABLE', text, { cause: error });
  }
  return error;
}

const ADVISED = new WeakMap<object, A2AError>();

/** Adds to an error of the agent what its code asks for: when to try again, or what to send instead. */
export function withAdvice(error: unknown): unknown {
  if (!isA2AError(error) || ADVISED.has(error)) return error;
  const advice = adviceFor(error);
  if (advice === undefined) return error;
  const { code, fields, metadata, retryAfterSeconds } = error;
  const happened = quotedMessage(error);
  const failure = new A2AError(code, `${happened}${/[.!?]$/.test(happened) ? '' : '.'} ${advice}`, {
    fields: [...fields],
    metadata,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: error,
  });
  ADVISED.set(failure, error);
  return failure;
}

/** The error as the agent sent it. Models get advice of their own. */
export function withoutAdvice(error: unknown): unknown {
  return (typeof error === 'object' && error !== null ? ADVISED.get(error) : undefined) ?? error;
}

function adviceFor({ code, retryAfterSeconds }: A2AError): string | undefined {
  if (retryAfterSeconds !== undefined) {
    return `Wait ${countOf(Math.ceil(retryAfterSeconds), 'second')}, then try again.`;
  }
  if (code === 'RESOURCE_EXHAUSTED') {
    return 'A limit of the agent is used up, and it does not say for how long. Wait a minute, then try again.';
  }
  return code === 'REQUEST_TOO_LARGE'
    ? 'Send less at once: a shorter message, or links instead of files.'
    : undefined;
}

/** Rejects with the caller's reason if the caller aborted, otherwise with an A2AError. */
export async function translateErrors<Answer>(limit: TimeLimit, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    limit.throwIfAborted();
    throw withAdvice(callFailure(error));
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** A failure after the agent had accepted the message: its task exists. */
export interface TaskFailure {
  readonly taskId: string;
  /** The state in which the task was last seen. */
  readonly state: TaskState;
  /** Without the id of the task. */
  readonly original: A2AError;
}

const TASK_FAILURES = new WeakMap<object, TaskFailure>();

/** Adds the id of the task to an error, so that nobody repeats work because it could not be read. */
export function withTaskId(given: unknown, { id, status: { state } }: Pick<Task, 'id' | 'status'>): unknown {
  const error = withoutAdvice(given);
  if (!isA2AError(error)) return error;
  const { code, fields, metadata, retryAfterSeconds } = error;
  const known =
    code === 'TASK_NOT_FOUND'
      ? `The agent had accepted the message: its task "${id}" was last seen in ${state}. It may have been deleted. Do not send the message again before you know what became of it.`
      : `The agent has accepted the message: its task is "${id}". Call getTask instead of sending it again.`;
  const failure = new A2AError(code, `${quotedMessage(error)} ${known}`, {
    fields: [...fields],
    metadata: { ...metadata, taskId: id, taskState: state },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: error,
  });
  TASK_FAILURES.set(failure, { taskId: id, state, original: error });
  return failure;
}

/** The failure to find a task. If it was seen before, the agent had accepted its message, which must not be sent again. */
export function ofKnownTask(error: unknown, seen: Pick<Task, 'id' | 'status'> | undefined): unknown {
  const isMissing = isA2AError(error) && error.code === 'TASK_NOT_FOUND';
  return isMissing && seen !== undefined ? withTaskId(error, seen) : withAdvice(error);
}

/** The task of a failure, if `withTaskId` added it. Agents write metadata as well, so that is not looked at. */
export function taskOfFailure(error: unknown): TaskFailure | undefined {
  return typeof error === 'object' && error !== null ? TASK_FAILURES.get(error) : undefined;
}
