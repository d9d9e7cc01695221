/** Ends the task as failed; the message is shown to the caller. */
export class TerminalError extends Error {
  readonly code = 'executor-terminal';
  override readonly name = 'TerminalError';
}

/** Asks for another try of the turn after a pause; after the last one the task fails with this message. */
export class RetryableError extends Error {
  readonly code = 'executor-retryable';
  override readonly name = 'RetryableError';
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfterMilliseconds?: number } = {}) {
    super(message, options);
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
  }
}
