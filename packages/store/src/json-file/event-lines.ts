import { upperBound } from '../memory/upper-bound.ts';

/** The location of a line with events in its file. */
export interface EventLine {
  lastSequence: number;
  offset: number;
  length: number;
}

/** The index of a task's file: its length and the locations of its events. */
export class EventLines {
  readonly #lines: EventLine[] = [];
  /** The file's length in bytes, counting only acknowledged lines. */
  length = 0;

  /** Records a line at the end of the file; `lastSequence` is undefined if it has no events. */
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
