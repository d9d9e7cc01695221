import type { JsonObject } from '@holdword/protocol';
import { RetryableError, TerminalError } from '../executor-errors.ts';
import { listAt, objectAt, textAt } from '../json-value.ts';
import { tooMuchOutput } from '../limit-errors.ts';
import { describeEndpointError } from './endpoint-error.ts';

/** The finished answer of the model. */
export interface Completion {
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
