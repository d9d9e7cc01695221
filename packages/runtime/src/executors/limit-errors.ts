import { TerminalError } from './executor-errors.ts';

export function turnTimedOut(milliseconds: number): TerminalError {
  return new TerminalError(
    `The agent timed out after ${milliseconds / 1_000} s and was stopped. ` +
      'Send a smaller request, or ask its operator to raise the timeout.',
  );
}

export function tooMuchOutput(limit: number): TerminalError {
  return new TerminalError(
    `The agent exceeded its output limit of ${limit} bytes and was stopped. ` +
      'Send a smaller request, or ask its operator to raise the limit.',
  );
}
