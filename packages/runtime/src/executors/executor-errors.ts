import { hasErrorCode } from '@holdword/protocol/internal';

/**
 * Fails the task. The message is shown to the caller, so it must not hold secrets or paths.
 *
 * @example
 * ```ts
 * const agent: Executor = {
 *   async execute(turn, sink) {
 *     if (turn.message.parts.length > 10) throw new TerminalError('Send at most 10 parts.');
 *     await sink.complete('Thank you.');
 *   },
 * };
 * ```
 */
export class TerminalError extends Error {
  static readonly code = 'executor-terminal';
  readonly code = TerminalError.code;
  override readonly name = 'TerminalError';
}

/**
 * Asks for the turn to be retried after a delay. When the last attempt fails too, the task fails with this message.
 *
 * @example
 * ```ts
 * const agent: Executor = {
 *   async execute(turn, sink) {
 *     const response = await fetch('https://api.example.org/answer', { signal: turn.signal });
 *     if (response.status === 503) {
 *       throw new RetryableError('The API is overloaded.', { retryAfterMilliseconds: 5_000 });
 *     }
 *     await sink.complete(await response.text());
 *   },
 * };
 * ```
 */
export class RetryableError extends Error {
  static readonly code = 'executor-retryable';
  readonly code = RetryableError.code;
  override readonly name = 'RetryableError';
  /** The least delay before the next attempt; the runtime chooses one if undefined. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfterMilliseconds?: number } = {}) {
    super(message, options);
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
  }
}

/**
 * The options of an agent are invalid. The message names the option and says what was expected.
 *
 * @example
 * ```ts
 * try {
 *   await loadAgent({ adapter: 'openclaw', timeout: -1 });
 * } catch (error) {
 *   if (error instanceof AgentOptionsError) console.error(error.message);
 *   else throw error;
 * }
 * ```
 */
export class AgentOptionsError extends Error {
  static readonly code = 'agent-options';
  readonly code = AgentOptionsError.code;
  override readonly name = 'AgentOptionsError';
}

export function isAgentOptionsError(error: unknown): error is AgentOptionsError {
  return hasErrorCode(error, AgentOptionsError.code);
}

export function turnTimedOut(milliseconds: number, agent = 'The agent'): TerminalError {
  return new TerminalError(
    `${agent} timed out after ${milliseconds / 1_000} s and was stopped. ` +
      'Send a smaller request, or ask its operator to raise the timeout.',
  );
}

export function tooMuchOutput(limit: number): TerminalError {
  return new TerminalError(
    `The agent exceeded its output limit of ${limit} bytes and was stopped. ` +
      'Send a smaller request, or ask its operator to raise the limit.',
  );
}
