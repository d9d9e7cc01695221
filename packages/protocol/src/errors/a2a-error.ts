/** A field of a request that is invalid, and why. */
export interface FieldViolation {
  field: string;
  description: string;
}

/** What an A2AError says besides its code and message. */
export interface A2AErrorOptions {
  /** The invalid fields of the request. */
  fields?: FieldViolation[];
  /** Machine-readable details for the caller, for example the supported versions. */
  metadata?: Record<string, string>;
  /** When the caller should retry. */
  retryAfterSeconds?: number;
  /** The underlying error. It is never sent to a caller. */
  cause?: unknown;
}

/**
 * The only error that reaches a caller as it is. Its message says what is wrong and what to do next. Check for it with
 * `isA2AError`, not with `instanceof`: a host may load several copies of this class.
 *
 * @example
 * ```ts
 * throw new A2AError('INVALID_PARAMS', 'The message has no parts. Send at least one.');
 * ```
 */
export class A2AError extends Error {
  /** Says which error it is, the same on every binding. */
  readonly code: A2AErrorCode;
  /** The invalid fields of the request; empty for other errors. */
  readonly fields: readonly FieldViolation[];
  /** Machine-readable details for the caller. */
  readonly metadata: Readonly<Record<string, string>>;
  /** When the caller should retry; undefined if the error does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: A2AErrorCode, message: string, options: A2AErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'A2AError';
    this.code = code;
    this.fields = options.fields ?? [];
    this.metadata = options.metadata ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * Whether an error is an A2AError, even from another copy of this package.
 *
 * @example
 * ```ts
 * function isGone(error: unknown): boolean {
 *   return isA2AError(error) && error.code === 'TASK_NOT_FOUND';
 * }
 * ```
 */
export function isA2AError(error: unknown): error is A2AError {
  return (
    error instanceof Error &&
    error.name === 'A2AError' &&
    'code' in error &&
    typeof error.code === 'string' &&
    isErrorCode(error.code)
  );
}

/**
 * Every error a caller can get, with its code in each binding. `retry` says whether the same request may succeed later
 * without a change.
 */
export const ERROR_TABLE = {
  TASK_NOT_FOUND: { jsonRpc: -32001, http: 404, grpc: 'NOT_FOUND', retry: false },
  TASK_NOT_CANCELABLE: { jsonRpc: -32002, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { jsonRpc: -32003, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  UNSUPPORTED_OPERATION: { jsonRpc: -32004, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  CONTENT_TYPE_NOT_SUPPORTED: { jsonRpc: -32005, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  INVALID_AGENT_RESPONSE: { jsonRpc: -32006, http: 500, grpc: 'INTERNAL', retry: false },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    jsonRpc: -32007,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
  },
  EXTENSION_SUPPORT_REQUIRED: { jsonRpc: -32008, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  VERSION_NOT_SUPPORTED: { jsonRpc: -32009, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  TASK_GENERATION_MISMATCH: { jsonRpc: -32010, http: 409, grpc: 'ABORTED', retry: false },
  PARSE_ERROR: { jsonRpc: -32700, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  INVALID_REQUEST: { jsonRpc: -32600, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  METHOD_NOT_FOUND: { jsonRpc: -32601, http: 404, grpc: 'UNIMPLEMENTED', retry: false },
  INVALID_PARAMS: { jsonRpc: -32602, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  INTERNAL: { jsonRpc: -32603, http: 500, grpc: 'INTERNAL', retry: true },
  // Ours: JSON-RPC leaves -32000 to -32099 to servers, and A2A assigns its codes from -32001 downwards.
  UNAUTHENTICATED: { jsonRpc: -32090, http: 401, grpc: 'UNAUTHENTICATED', retry: false },
  PERMISSION_DENIED: { jsonRpc: -32091, http: 403, grpc: 'PERMISSION_DENIED', retry: false },
  IDEMPOTENCY_CONFLICT: { jsonRpc: -32092, http: 409, grpc: 'ALREADY_EXISTS', retry: false },
  RESOURCE_EXHAUSTED: { jsonRpc: -32093, http: 429, grpc: 'RESOURCE_EXHAUSTED', retry: true },
  REQUEST_TOO_LARGE: { jsonRpc: -32094, http: 413, grpc: 'RESOURCE_EXHAUSTED', retry: false },
  UNAVAILABLE: { jsonRpc: -32095, http: 503, grpc: 'UNAVAILABLE', retry: true },
} as const;

/** The code of an error, the same in every binding. */
export type A2AErrorCode = keyof typeof ERROR_TABLE;

/** The error code for a JSON-RPC code. */
export function errorCodeOfJsonRpc(jsonRpcCode: number): A2AErrorCode | undefined {
  return Object.keys(ERROR_TABLE)
    .filter(isErrorCode)
    .find((code) => ERROR_TABLE[code].jsonRpc === jsonRpcCode);
}

export function isErrorCode(code: string): code is A2AErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

const NEUTRAL_MESSAGE =
  'Internal error of the agent. Try again; if the problem persists, contact its operator.';

/** What a caller may see of an error: an A2AError as it is, any other error only as an internal error. */
export function toPublicError(error: unknown): A2AError {
  return isA2AError(error) ? error : new A2AError('INTERNAL', NEUTRAL_MESSAGE, { cause: error });
}
