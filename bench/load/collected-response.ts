import type { ResponseSink } from './http-response-reader.ts';
import { SseFrames } from './sse-frames.ts';

/** Collects the body of a response, which must have status 200. */
export class CollectedBody implements ResponseSink {
  readonly #parts: Buffer[] = [];

  body(part: Buffer): void {
    this.#parts.push(part);
  }

  end(status: number): void {
    if (status !== 200) throw new Error(`Expected 200, received ${status} with ${this.text.slice(0, 400)}.`);
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString();
  }
}

/** Collects the data of every frame of a stream, which must have status 200. */
export class CollectedStream implements ResponseSink {
  readonly frames: string[] = [];
  readonly #reader = new SseFrames((data) => this.frames.push(data));

  body(part: Buffer): void {
    this.#reader.push(part);
  }

  end(status: number): void {
    if (status !== 200) throw new Error(`Expected a stream with 200, received ${status}.`);
  }
}
