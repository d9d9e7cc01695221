import type { ResponseSink } from '../load/http-response-reader.ts';
import { SseFrames } from '../load/sse-frames.ts';

/** A stream that waits for the completed state of its task and records when it arrived. */
export class EventArrival implements ResponseSink {
  readonly #frames = new SseFrames((data) => this.#read(data));
  readonly #opened = Promise.withResolvers<void>();
  #arrivedAt: number | undefined;

  /** Resolves with the first event: from then on the stream is live. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** When the completed state arrived, by the clock of `performance`. */
  get arrivedAt(): number {
    if (this.#arrivedAt === undefined) throw new Error('The stream has no completed task.');
    return this.#arrivedAt;
  }

  body(part: Buffer): void {
    this.#frames.push(part);
  }

  end(status: number): void {
    if (status !== 200) throw new Error(`Expected a stream with 200, received ${status}.`);
  }

  #read(data: string): void {
    this.#opened.resolve();
    if (data.includes('"TASK_STATE_COMPLETED"')) this.#arrivedAt ??= performance.now();
  }
}
