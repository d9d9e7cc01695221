import { publicOutput } from '../child-process/public-output.ts';
import { RetryableError, TerminalError } from '../executor-errors.ts';
import { textAt } from '../json-value.ts';

/** What an endpoint answered instead of a completion. */
export interface EndpointRejection {
  readonly status: number;
  /** The value of its `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** Its body as JSON, undefined where it is none. */
  readonly body: unknown;
}

/** Whoever waits longer than this is told so instead. */
const LONGEST_PAUSE_MILLISECONDS = 60_000;

/** What a rejection means for the turn: whether it is tried again, and what the caller reads in the end. */
export function endpointError(
  rejection: EndpointRejection,
  now: number = Date.now(),
): RetryableError | TerminalError {
  const { status, body } = rejection;
  const reason = describeEndpointError(body);
  if (status === 401 || status === 403) {
    return new TerminalError(
      `The model's endpoint refused the credential of this agent (HTTP ${status}). Its operator has to check the API key.`,
    );
  }
  if (status === 404) {
    return new TerminalError(
      `The model's endpoint does not know the model or the address (HTTP 404): ${reason} The operator of this agent has to correct them.`,
    );
  }
  const said = `The model's endpoint answered with HTTP ${status}: ${reason}`;
  if (!isPassing(rejection)) return new TerminalError(said);
  const pause = pauseOf(rejection.retryAfter, now);
  if (pause !== undefined && pause > LONGEST_PAUSE_MILLISECONDS) {
    return new TerminalError(`${said} It asks to try again in ${Math.ceil(pause / 1_000)} s.`);
  }
  return new RetryableError(said, pause === undefined ? {} : { retryAfterMilliseconds: pause });
}

/** The words of an error in the shape that OpenAI gave it, for a caller to read. */
export function describeEndpointError(body: unknown): string {
  const words = textAt(body, 'error', 'message') ?? textAt(body, 'error') ?? textAt(body, 'message') ?? '';
  const told = publicOutput(words, {});
  if (told === '') return 'it gave no reason.';
  return /[.!?]$/.test(told) ? told : `${told}.`;
}

/** Whether another try may succeed. A quota that is used up stays so. */
function isPassing({ status, body }: EndpointRejection): boolean {
  if (status === 429) return textAt(body, 'error', 'code') !== 'insufficient_quota';
  return status === 408 || status === 409 || status >= 500;
}

/** Seconds, or the date until which to wait. */
function pauseOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - now;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
