import { readServerSentEvents } from '@holdword/net/internal';
import type { JsonObject } from '@holdword/protocol';
import { publicOutput } from '../child-process/program-output.ts';
import { RetryableError, TerminalError, tooMuchOutput } from '../executor-errors.ts';
import { listAt, objectAt, parseJson, textAt } from '../json-value.ts';

const END = '[DONE]';

/**
 * The JSON values of a streamed completion, one per server-sent event, until `[DONE]`. Ends early if the connection does;
 * the reader notices by the missing finish reason.
 */
export async function* completionChunks(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator {
  const limit = { length: maxBytes, tooLong: () => tooMuchOutput(maxBytes) };
  for await (const { data } of readServerSentEvents(body, limit)) {
    if (data === END) return;
    yield parseJson(data);
  }
}

/** The finished answer of the model. */
interface Completion {
  readonly text: string;
  /** Model, usage and finish reason. */
  readonly metadata: JsonObject;
}

/** Assembles one completion, streamed or whole. */
export class CompletionReader {
  readonly #pieces: string[] = [];
  readonly #maxBytes: number;
  #bytes = 0;
  #model: string | undefined;
  #usage: JsonObject | undefined;
  #finishReason: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds the next value and returns the text it adds to the answer. */
  add(value: unknown): string {
    if (objectAt(value, 'error') !== undefined) {
      throw new RetryableError(`The model API aborted the response: ${describeEndpointError(value)}`);
    }
    const [choice] = listAt(value, 'choices');
    this.#model = textAt(value, 'model') ?? this.#model;
    this.#usage = objectAt(value, 'usage') ?? this.#usage;
    this.#finishReason = textAt(choice, 'finish_reason') ?? this.#finishReason;
    const text = textAt(choice, 'delta', 'content') ?? textAt(choice, 'message', 'content') ?? '';
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#maxBytes) throw tooMuchOutput(this.#maxBytes);
    this.#pieces.push(text);
    return text;
  }

  finish(): Completion {
    if (this.#finishReason === undefined) {
      throw new RetryableError('The connection to the model API was lost in the middle of the answer.');
    }
    if (this.#finishReason === 'content_filter') {
      throw new TerminalError('The content filter of the model API blocked the answer.');
    }
    const about = { model: this.#model, usage: this.#usage, finishReason: this.#finishReason };
    return { text: this.#pieces.join(''), metadata: JSON.parse(JSON.stringify(about)) as JsonObject };
  }
}

/** An error response of the API. */
interface EndpointRejection {
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
function describeEndpointError(body: unknown): string {
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
