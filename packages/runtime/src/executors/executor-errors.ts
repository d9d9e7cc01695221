/** Ends the task as failed; the message is shown to the caller. */
export class TerminalError extends Error {
  static readonly code = 'executor-terminal';
  readonly code = TerminalError.code;
  override readonly name = 'TerminalError';
}

/** Asks for another try of the turn after a pause; after the last one the task fails with this message. */
export class RetryableError extends Error {
  static readonly code = 'executor-retryable';
  readonly code = RetryableError.code;
  override readonly name = 'RetryableError';
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfterMilliseconds?: number } = {}) {
    super(message, options);
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
  }
}
