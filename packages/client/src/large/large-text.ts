import { type FileHandle, open } from 'node:fs/promises';

/** Where a block of the file begins. */
interface Block {
  readonly byte: number;
  /** Number of characters before it, in units of UTF-16 as in strings. */
  readonly character: number;
  /** Number of line breaks before it. */
  readonly breaks: number;
}

const BLOCK_BYTES = 256 * 1024;
const LINE_BREAK = 0x0a;

/**
 * A text in a file of UTF-8 that is read in ranges.
 *
 * Responsible for positions being those of the text as a string. The file is read once for its index; a range then costs as
 * much as the range, plus one block. Leaves limits to its callers.
 */
export class LargeText {
  readonly path: string;
  /** Number of characters. */
  readonly length: number;
  readonly lines: number;
  readonly #blocks: readonly Block[];

  private constructor(path: string, blocks: readonly Block[], end: Block) {
    this.path = path;
    this.length = end.character;
    this.lines = end.breaks + 1;
    this.#blocks = [...blocks, end];
  }

  static async open(path: string): Promise<LargeText> {
    const blocks: Block[] = [];
    let [byte, character, breaks] = [0, 0, 0];
    await using file = await openFile(path);
    const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, BLOCK_BYTES, byte);
      const block = buffer.subarray(0, wholeCharacters(buffer, bytesRead));
      if (block.length === 0) break;
      blocks.push({ byte, character, breaks });
      byte += block.length;
      character += block.toString().length;
      breaks += countBreaks(block);
    }
    return new LargeText(path, blocks, { byte, character, breaks });
  }

  /** A range of characters, as `String.slice` returns it for positions that are not negative. */
  async slice(start: number, end = this.length): Promise<string> {
    const to = Math.min(end, this.length);
    if (start >= to) return '';
    const first = this.#lastBlock((block) => block.character <= start);
    const last = this.#lastBlock((block) => block.character < to);
    const text = await this.#read(first, last);
    const offset = this.#blocks[first]?.character ?? 0;
    return text.slice(start - offset, to - offset);
  }

  /** The position of the first character of a line (1-based); the length of the text for the line after the last. */
  async startOfLine(line: number): Promise<number> {
    if (line <= 1) return 0;
    if (line > this.lines) return this.length + 1;
    // The line begins after this many breaks.
    const wanted = line - 1;
    const index = this.#lastBlock((block) => block.breaks < wanted);
    const block = this.#blocks[index];
    if (block === undefined) return 0;
    const text = await this.#read(index, index);
    let at = -1;
    for (let breaks = block.breaks; breaks < wanted; breaks += 1) at = text.indexOf('\n', at + 1);
    return block.character + at + 1;
  }

  /** The text in pieces of whole lines, unless a line is longer than a piece, each with the number of its first line. */
  async *pieces(): AsyncGenerator<{ text: string; line: number }> {
    let rest = '';
    let line = 1;
    for (let index = 0; index < this.#blocks.length - 1; index += 1) {
      const text = rest + (await this.#read(index, index));
      const end = text.lastIndexOf('\n');
      if (end === -1 && text.length < 4 * BLOCK_BYTES) {
        rest = text;
        continue;
      }
      yield { text: end === -1 ? text : text.slice(0, end), line };
      line = (this.#blocks[index + 1]?.breaks ?? 0) + 1;
      rest = end === -1 ? '' : text.slice(end + 1);
    }
    if (rest !== '') yield { text: rest, line };
  }

  #lastBlock(isBefore: (block: Block) => boolean): number {
    let [low, high] = [0, this.#blocks.length - 2];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const block = this.#blocks[middle];
      if (block !== undefined && isBefore(block)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #read(first: number, last: number): Promise<string> {
    const from = this.#blocks[first]?.byte ?? 0;
    const to = this.#blocks[last + 1]?.byte ?? from;
    await using file = await openFile(this.path);
    const buffer = Buffer.allocUnsafe(to - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, bytesRead);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  return open(path, 'r');
}

/** The number of bytes up to the last character that is complete. */
function wholeCharacters(buffer: Buffer, length: number): number {
  if (length < BLOCK_BYTES) return length;
  let start = length - 1;
  while (start > length - 4 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = buffer[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + needed > length ? start : length;
}

function countBreaks(block: Buffer): number {
  let breaks = 0;
  for (let at = block.indexOf(LINE_BREAK); at !== -1; at = block.indexOf(LINE_BREAK, at + 1)) breaks += 1;
  return breaks;
}
