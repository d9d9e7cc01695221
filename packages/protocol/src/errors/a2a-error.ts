import { isErrorCode, type A2AErrorCode } from './error-table.ts';

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
