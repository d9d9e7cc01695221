/** One event of a stream as received. */
export interface RawFrame {
  sequence: number;
  data: string;
}

const BLANK_LINE = Buffer.from('\n\n');
const FRAME = /^id: (\d+)\ndata: ([^\n]*)$/;

/**
 * Splits the bytes of an event stream into frames. Incomplete frames and comments are ignored; anything other than an ID and
 * one line of data is an error.
 */
export class FrameSplitter {
  #rest = Buffer.alloc(0);

  push(bytes: Buffer): RawFrame[] {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: RawFrame[] = [];
    let start = 0;
    for (;;) {
      const end = text.indexOf(BLANK_LINE, start);
      if (end === -1) break;
      const block = text.toString('utf8', start, end);
      if (!block.startsWith(':')) frames.push(parseFrame(block));
      start = end + BLANK_LINE.length;
    }
    this.#rest = Buffer.from(text.subarray(start));
    return frames;
  }

  /** Whether the bytes so far end between two frames. */
  get complete(): boolean {
    return this.#rest.length === 0;
  }
}

function parseFrame(block: string): RawFrame {
  const match = FRAME.exec(block);
  if (match === null) throw new Error(`Expected a frame with an ID and one line of data, received ${block}`);
  return { sequence: Number(match[1]), data: match[2] as string };
}
