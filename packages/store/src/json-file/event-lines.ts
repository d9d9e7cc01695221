import { upperBound } from '../memory/upper-bound.ts';

/** Where a line with events lies in its file. */
export interface EventLine {
  lastSequence: number;
  offset: number;
  length: number;
}

/** What is known of one task's file: how long it is, and where its events lie. */
export class EventLines {
  readonly #lines: EventLine[] = [];
  /** The file's length in bytes, counting acknowledged lines alone. */
  length = 0;

  /** Takes note of a line at the end of the file; `lastSequence` is absent when it holds no events. */
  add(length: number, lastSequence: number | undefined): void {
    if (lastSequence !== undefined) this.#lines.push({ lastSequence, offset: this.length, length });
    this.length += length;
  }

  /** The lines with events above `after`, in order. */
  *after(after: number): Generator<EventLine> {
    const from = upperBound(this.#lines, (line) => line.lastSequence > after);
    for (let index = from; index < this.#lines.length; index += 1) {
      const line = this.#lines[index];
      if (line !== undefined) yield line;
    }
  }
}
