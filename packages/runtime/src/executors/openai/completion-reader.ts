import type { JsonObject } from '@holdword/protocol';
import { RetryableError, TerminalError } from '../executor-errors.ts';
import { listAt, objectAt, textAt } from '../json-value.ts';
import { tooMuchOutput } from '../limit-errors.ts';
import { describeEndpointError } from './endpoint-error.ts';

/** What the model said, when it has finished. */
export interface Completion {
  readonly text: string;
  /** The model that answered, what it cost, and why it stopped. */
  readonly metadata: JsonObject;
}

/** Follows one completion, streamed or whole, from value to value. */
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

  /** Takes the next value and gives the text it adds to the answer. */
  add(value: unknown): string {
    if (objectAt(value, 'error') !== undefined) {
      throw new RetryableError(`The model's endpoint broke off: ${describeEndpointError(value)}`);
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
      throw new RetryableError('The connection to the model ended in the middle of its answer.');
    }
    if (this.#finishReason === 'content_filter') {
      throw new TerminalError("The model's endpoint withheld the answer because of its content filter.");
    }
    const about = { model: this.#model, usage: this.#usage, finishReason: this.#finishReason };
    return { text: this.#pieces.join(''), metadata: JSON.parse(JSON.stringify(about)) as JsonObject };
  }
}
