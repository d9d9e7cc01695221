import type { JsonObject } from '@holdword/protocol';

export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'A2A_SDK_ERROR'
  | 'TARGET_RESOLUTION_ERROR'
  | 'UNKNOWN_TASK_HANDLE'
  | 'EXPIRED_TASK_HANDLE'
  | 'TASK_REQUIRED_BUT_MESSAGE_RETURNED'
  | 'WAIT_TIMEOUT'
  | 'INTERNAL_ERROR';

/** A failure for the model: a code, a message, and details that suggest the next step. */
export class RemoteAgentError extends Error {
  readonly code: ErrorCode;
  readonly details: JsonObject;

  constructor(code: ErrorCode, message: string, details: JsonObject = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RemoteAgentError';
    this.code = code;
    this.details = details;
  }

  /** The same failure with more details. */
  with(details: JsonObject): RemoteAgentError {
    return new RemoteAgentError(this.code, this.message, { ...this.details, ...details }, this.cause);
  }
}
