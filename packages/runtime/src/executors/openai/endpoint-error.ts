import { publicOutput } from '../child-process/public-output.ts';
import { RetryableError, TerminalError } from '../executor-errors.ts';
import { textAt } from '../json-value.ts';

/** An error response of the API. */
export interface EndpointRejection {
  readonly status: number;
  /** The value of its `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** Its body as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

/** With a longer delay, the turn fails instead of waiting. */
const MAX_DELAY_MILLISECONDS = 60_000;

/** What an error response means for the turn: whether it is retried, and what the caller is told in the end. */
export function endpointError(
  rejection: EndpointRejection,
  now: number = Date.now(),
): RetryableError | TerminalError {
  const { status, body } = rejection;
  const reason = describeEndpointError(body);
  if (status === 401 || status === 403) {
    return new TerminalError(
      `The model API rejected the API key of this agent (HTTP ${status}). Its operator has to check the key.`,
    );
  }
  if (status === 404) {
    return new TerminalError(
      `The model API does not know the model or the URL (HTTP 404): ${reason} The operator of this agent has to correct them.`,
    );
  }
  const message = `The model API returned HTTP ${status}: ${reason}`;
  if (!isTransient(rejection)) return new TerminalError(message);
  const delay = delayOf(rejection.retryAfter, now);
  if (delay !== undefined && delay > MAX_DELAY_MILLISECONDS) {
    return new TerminalError(`${message} Try again in ${Math.ceil(delay / 1_000)} s.`);
  }
  return new RetryableError(message, delay === undefined ? {} : { retryAfterMilliseconds: delay });
}

/** The message of an error in OpenAI's format, made safe for callers. */
export function describeEndpointError(body: unknown): string {
  const words = textAt(body, 'error', 'message') ?? textAt(body, 'error') ?? textAt(body, 'message') ?? '';
  const message = publicOutput(words, {});
  if (message === '') return 'no reason given.';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Whether a retry may succeed. An exhausted quota stays exhausted. */
function isTransient({ status, body }: EndpointRejection): boolean {
  if (status === 429) return textAt(body, 'error', 'code') !== 'insufficient_quota';
  return status === 408 || status === 409 || status >= 500;
}

/** Parses `Retry-After`: seconds or a date. */
function delayOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - now;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
