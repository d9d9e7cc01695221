import { isTooLarge, mayHaveArrived, tooLargeReason } from '@holdword/client/internal';
import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { isA2AError, type A2AError, type A2AErrorCode } from '@holdword/protocol';
import { asObject, ERROR_TABLE, specErrorName } from '@holdword/protocol/internal';
import { CommandError, UsageError } from '../usage-error.ts';
import { adviseOn, type Progress } from './task-advice.ts';

/** The errors that the specification of A2A command lines names, with their exit codes. */
const EXIT_CODES = {
  A2ACLI_ERR_USAGE: 2,
  A2ACLI_ERR_CARD_NOT_FOUND: 3,
  A2ACLI_ERR_CARD_INVALID: 1,
  A2ACLI_ERR_UNREACHABLE: 3,
  A2ACLI_ERR_CREDENTIALS_MISSING: 4,
  A2ACLI_ERR_AUTH_FAILED: 4,
  A2ACLI_ERR_TIMEOUT: 5,
  A2ACLI_ERR_INTERNAL: 1,
} as const;

type LocalCode = keyof typeof EXIT_CODES;

/** A call failed for a reason that A2A has no name for. */
export class CallError extends CommandError {
  readonly code: LocalCode;
  readonly hint: string | null;

  constructor(code: LocalCode, message: string, hint: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}

/** An error as programs get it. */
export interface ErrorEnvelope {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly a2aCode: number | null;
}

export interface CallFailure {
  readonly envelope: ErrorEnvelope;
  readonly exitCode: number;
}

interface Circumstances {
  readonly progress: Progress;
  /** The timeout expired. */
  readonly isLate: boolean;
}

const AT_THE_START: Circumstances = { progress: {}, isLate: false };

/** What a failed call is reported as. */
export function describeFailure(error: unknown, { progress, isLate } = AT_THE_START): CallFailure {
  const advice = adviseOn(progress);
  if (isLate) {
    const happened = advice?.happened ?? 'The agent did not answer.';
    return local('A2ACLI_ERR_TIMEOUT', `The request timed out. ${happened}`, advice?.hint ?? null);
  }
  const failure = describe(error, progress.agent?.sentCredentials ?? false);
  if (advice === undefined) return failure;
  if (isA2AError(error) && error.code === 'TASK_NOT_FOUND' && isSentTask(progress)) {
    const message = `The agent accepted the message as task ${progress.taskId}, and does not know the task any more.`;
    return { ...failure, envelope: { ...failure.envelope, message, hint: LOOK_FIRST } };
  }
  if (isA2AError(error) && error.code === 'INVALID_AGENT_RESPONSE' && isSentTask(progress)) {
    const message = `${failure.envelope.message} The agent had accepted the message as task ${progress.taskId}, which may continue.`;
    return { ...failure, envelope: { ...failure.envelope, message, hint: advice.hint } };
  }
  if (progress.taskId !== undefined || !mayHaveArrived(error)) return failure;
  // With the code for an agent that cannot be reached, scripts would send it again.
  const isSilent = isConnectionError(error);
  return {
    envelope: {
      ...failure.envelope,
      ...(isSilent && { code: 'A2ACLI_ERR_INTERNAL' }),
      message: `${failure.envelope.message} ${advice.happened}`,
      hint: advice.hint,
    },
    exitCode: isSilent ? EXIT_CODES.A2ACLI_ERR_INTERNAL : failure.exitCode,
  };
}

function isSentTask({ messageId, taskId }: Progress): boolean {
  return messageId !== undefined && taskId !== undefined;
}

const LOOK_FIRST = 'The work may have been done: look before you send it again.';

function describe(error: unknown, sentCredentials: boolean): CallFailure {
  if (error instanceof CallError) return local(error.code, error.message, error.hint);
  if (error instanceof UsageError) return local('A2ACLI_ERR_USAGE', error.message, null);
  if (isConnectionError(error)) {
    return local(
      'A2ACLI_ERR_UNREACHABLE',
      `The agent cannot be reached: ${error.message}.`,
      'Check its address, and that it is running.',
    );
  }
  if (isForbiddenUrlError(error)) {
    return local(
      'A2ACLI_ERR_UNREACHABLE',
      error.message,
      error.canBeAllowed
        ? 'The card names an address that it may not send you to. Use the card of the agent at that address.'
        : 'No option allows this address. Check the address of the agent and those on its card.',
    );
  }
  if (!isA2AError(error)) {
    return local('A2ACLI_ERR_INTERNAL', error instanceof Error ? error.message : String(error), null);
  }
  const { code, message } = error;
  if (code === 'UNAUTHENTICATED' || code === 'PERMISSION_DENIED') {
    return sentCredentials
      ? local('A2ACLI_ERR_AUTH_FAILED', message, 'Check the token or key, and that it has not expired.')
      : local(
          'A2ACLI_ERR_CREDENTIALS_MISSING',
          message,
          'Set A2ACLI_BEARER or A2ACLI_API_KEY to a credential of this agent.',
        );
  }
  return {
    envelope: {
      code: specErrorName(code),
      message: tooLargeReason(error) ?? message,
      hint: (isTooLarge(error) ? ASK_FOR_LESS : HINTS[code]) ?? null,
      a2aCode: ERROR_TABLE[code].jsonRpc,
    },
    exitCode: 1,
  };
}

const HINTS: { readonly [Code in A2AErrorCode]?: string } = {
  TASK_NOT_FOUND: 'Check the task id and the agent; --debug shows what was exchanged.',
  TASK_NOT_CANCELABLE: 'Look at its state: holdword task get ID.',
  INVALID_PARAMS: '--debug shows what was exchanged.',
  UNSUPPORTED_OPERATION: 'See what the agent has with holdword card get; --debug shows what was exchanged.',
  PUSH_NOTIFICATION_NOT_SUPPORTED: 'The agent does not notify: wait with holdword task get ID --wait.',
  VERSION_NOT_SUPPORTED: 'For an agent of A2A 0.3 add --a2a-version 0.3.',
  INVALID_AGENT_RESPONSE: '--debug shows what the agent sent.',
};

const ASK_FOR_LESS = 'Ask the agent for less.';

function local(code: LocalCode, message: string, hint: string | null): CallFailure {
  return { envelope: { code, message, hint, a2aCode: null }, exitCode: EXIT_CODES[code] };
}

/** Whether an agent said over JSON-RPC that it does not know the method. HTTP status 404 says that there is no agent. */
export function isUnknownMethod({ code, cause }: A2AError): boolean {
  return code === 'METHOD_NOT_FOUND' && typeof asObject(cause)['code'] === 'number';
}
