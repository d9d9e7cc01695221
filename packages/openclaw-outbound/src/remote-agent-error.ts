import type { JsonObject } from '@holdword/protocol';
import type { ErrorCode } from './contract.ts';

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

/** The error as the caller reads it. Unexpected errors are replaced by a generic one: they may contain secrets and paths. */
export function publicError(error: unknown): {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
} {
  if (!(error instanceof RemoteAgentError)) {
    return {
      code: 'INTERNAL_ERROR',
      message:
        'Internal error in remote_agent. Try again; if it persists, ask the user to check the gateway log.',
    };
  }
  const { code, message, details } = error;
  return { code, message, ...(Object.keys(details).length > 0 && { details }) };
}

/** The error of an invalid request. */
export function validationError(
  errors: readonly ValidationIssue[],
  details: JsonObject = {},
): RemoteAgentError {
  return new RemoteAgentError('VALIDATION_ERROR', 'remote_agent input validation failed', {
    source: 'ajv',
    tool: 'remote_agent',
    errors,
    ...details,
  });
}

/** One issue of a request, in Ajv's error format. */
export interface ValidationIssue {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** An issue found by a runtime rule instead of the schema. */
export function runtimeIssue(
  keyword: string,
  message: string,
  params: Readonly<Record<string, unknown>> = {},
  instancePath = '',
): ValidationIssue {
  return { keyword, instancePath, schemaPath: `#/runtime/${keyword}`, params, message };
}
