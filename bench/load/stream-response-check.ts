import type { ResponseSink } from './http-response-reader.ts';
import { SseFrames } from './sse-frames.ts';

const TEXT = '"text":"';

/**
 * Verifies the stream of a counting task: the task first, then one artifact in chunks that start with 1, 2, 3 … in order, then
 * the completed state, and nothing after it.
 *
 * Searches for substrings instead of parsing frames, because parsing would cost as much as the work of a fast server.
 */
export class StreamResponseCheck implements ResponseSink {
  readonly #chunks: number;
  readonly #frames = new SseFrames((data) => this.#readEvent(data));
  #chunksSeen = 0;
  #completed = false;

  /** The number of events so far. */
  events = 0;

  constructor(chunks: number) {
    this.#chunks = chunks;
  }

  body(part: Buffer): void {
    this.#frames.push(part);
  }

  end(status: number): void {
    if (status === 200 && this.#completed && this.#frames.rest === '') return;
    throw new Error(
      `Expected 200 with ${this.#chunks} chunks and a completed task, received ${status} with ${this.#chunksSeen} chunks` +
        `${this.#completed ? '' : ' and no completed task'}, and left over ${JSON.stringify(this.#frames.rest.slice(0, 400))}.`,
    );
  }

  #readEvent(data: string): void {
    if (this.#completed)
      throw new Error(`Expected no event after the completed task, received ${data.slice(0, 400)}.`);
    if (this.events === 0 && !data.includes('"task":{')) {
      throw new Error(`Expected a stream that starts with its task, received ${data.slice(0, 400)}.`);
    }
    this.events += 1;
    const update = data.indexOf('"artifactUpdate":{');
    if (update !== -1) this.#readChunk(data, update);
    else if (data.includes('"TASK_STATE_COMPLETED"')) this.#readCompleted(data);
  }

  #readChunk(data: string, update: number): void {
    const text = data.indexOf(TEXT, update);
    const number =
      text === -1 ? Number.NaN : Number.parseInt(data.slice(text + TEXT.length, text + TEXT.length + 12), 10);
    if (number !== this.#chunksSeen + 1) {
      throw new Error(
        `Expected chunk ${this.#chunksSeen + 1} of ${this.#chunks}, received ${data.slice(0, 400)}.`,
      );
    }
    this.#chunksSeen = number;
  }

  #readCompleted(data: string): void {
    if (this.#chunksSeen !== this.#chunks) {
      throw new Error(
        `Expected ${this.#chunks} chunks, received ${this.#chunksSeen} before ${data.slice(0, 400)}.`,
      );
    }
    this.#completed = true;
  }
}
