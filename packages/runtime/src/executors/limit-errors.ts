import { TerminalError } from './executor-errors.ts';

export function turnTimedOut(milliseconds: number): TerminalError {
  return new TerminalError(
    `The agent did not finish within ${milliseconds / 1_000} s and was stopped. ` +
      'Ask for less at once, or have its operator allow more time.',
  );
}

export function tooMuchOutput(limit: number): TerminalError {
  return new TerminalError(
    `The agent printed more than the ${limit} bytes that it may and was stopped. ` +
      'Ask for less at once, or have its operator allow more output.',
  );
}
