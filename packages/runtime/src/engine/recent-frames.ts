import type { TaskState } from '@holdword/protocol';

/** One event on its way to a reader. */
export interface StreamFrame {
  /** A StreamResponse as A2A 1.0 JSON, ready to be written. */
  readonly json: string;
  /**
   * The SSE event ID and the cursor to resume from: the number of a committed event, or the last number that a snapshot
   * includes. Absent on plain messages.
   */
  readonly sequence?: number;
  /** The state of the event, if that is known without parsing. */
  readonly state?: TaskState;
}

const MAX_FRAMES = 1_024;
const MAX_BYTES = 512 * 1_024;

/**
 * The newest committed events of a live task, so that readers who keep up never query the store. A reader that falls
 * behind the window reads from the store instead: a slow reader costs no memory (J5).
 */
export class RecentFrames {
  #frames: StreamFrame[] = [];
  #bytes = 0;
  #lastSequence: number;

  constructor(lastSequence: number) {
    this.#lastSequence = lastSequence;
  }

  add(frame: StreamFrame & { sequence: number }): void {
    this.#frames.push(frame);
    this.#bytes += frame.json.length;
    this.#lastSequence = frame.sequence;
    // Cut to half at once, so that the cost of moving the array is spread over many events.
    if (this.#frames.length > MAX_FRAMES || this.#bytes > MAX_BYTES) this.#cut();
  }

  /** The frames after `sequence`. Undefined if some of them have left the window. */
  after(sequence: number): readonly StreamFrame[] | undefined {
    const missing = this.#lastSequence - sequence;
    if (missing <= 0) return [];
    if (missing > this.#frames.length) return undefined;
    return this.#frames.slice(-missing);
  }

  #cut(): void {
    this.#frames = this.#frames.slice(-Math.floor(this.#frames.length / 2));
    this.#bytes = this.#frames.reduce((total, frame) => total + frame.json.length, 0);
  }
}
