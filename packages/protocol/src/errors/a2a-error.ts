import { isErrorCode, type A2AErrorCode } from './error-table.ts';

/** One field of a request that was not as expected. */
export interface FieldViolation {
  field: string;
  description: string;
}

export interface A2AErrorOptions {
  fields?: FieldViolation[];
  /** Facts about the failure for the caller's program, for example the supported versions. */
  metadata?: Record<string, string>;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * The one error that may reach a caller. Its message says what was expected, what was found and what to do next.
 * Recognise it with `isA2AError`: a host may hold several copies of this class.
 */
export class A2AError extends Error {
  readonly code: A2AErrorCode;
  readonly fields: readonly FieldViolation[];
  readonly metadata: Readonly<Record<string, string>>;
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

export function isA2AError(error: unknown): error is A2AError {
  return (
    error instanceof Error &&
    error.name === 'A2AError' &&
    'code' in error &&
    typeof error.code === 'string' &&
    isErrorCode(error.code)
  );
}
