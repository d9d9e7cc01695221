/** What the content of a part was before it was moved to a file. */
export type LargeKind = 'text' | 'data' | 'raw';

const BACKSLASH = 0x5c;
const REPLACEMENT = Buffer.from('\uFFFD');
const LETTER_U = 0x75;
/** What follows a backslash, and what it stands for. Other characters stand for themselves. */
const ESCAPES: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** Decodes the inside of a JSON string in pieces: to UTF-8, or, for the content of a file, from base64 to its bytes. */
export class ContentDecoder {
  readonly #isBase64: boolean;
  /** The beginning of an escape sequence that the next piece continues. */
  #escape = '';
  /** The first half of a surrogate pair. */
  #high: number | undefined;
  /** Characters of base64 that do not make a whole group yet. */
  #group = '';

  constructor(kind: Exclude<LargeKind, 'data'>) {
    this.#isBase64 = kind === 'raw';
  }

  push(piece: Buffer, write: (bytes: Buffer) => void): void {
    let at = this.#escape === '' ? 0 : this.#continueEscape(piece, 0, write);
    while (at < piece.length) {
      const backslash = piece.indexOf(BACKSLASH, at);
      const end = backslash === -1 ? piece.length : backslash;
      if (end > at) this.#plain(piece.subarray(at, end), write);
      if (backslash === -1) return;
      at = this.#shortEscapes(piece, backslash, write);
      if (at === piece.length || piece[at] !== BACKSLASH) continue;
      this.#escape = '\\';
      at = this.#continueEscape(piece, at + 1, write);
    }
  }

  /** Decodes escapes of one letter that follow each other: there may be millions. Returns the position after them. */
  #shortEscapes(piece: Buffer, from: number, write: (bytes: Buffer) => void): number {
    let at = from;
    let count = 0;
    while (piece[at] === BACKSLASH && at + 1 < piece.length && piece[at + 1] !== LETTER_U) {
      at += 2;
      count += 1;
    }
    if (count === 0) return at;
    const decoded = Buffer.allocUnsafe(count);
    for (let index = 0; index < count; index += 1) {
      const letter = piece[from + 2 * index + 1] ?? 0;
      decoded[index] = ESCAPES.get(letter) ?? letter;
    }
    this.#plain(decoded, write);
    return at;
  }

  end(write: (bytes: Buffer) => void): void {
    this.#dropHigh(write);
    if (this.#group !== '') write(Buffer.from(this.#group, 'base64'));
  }

  #plain(bytes: Buffer, write: (bytes: Buffer) => void): void {
    this.#dropHigh(write);
    if (!this.#isBase64) {
      write(bytes);
      return;
    }
    const characters = this.#group + bytes.toString('latin1');
    const whole = /\s/.test(characters) ? characters.replaceAll(/\s+/g, '') : characters;
    const end = whole.length - (whole.length % 4);
    write(Buffer.from(whole.slice(0, end), 'base64'));
    this.#group = whole.slice(end);
  }

  #continueEscape(piece: Buffer, from: number, write: (bytes: Buffer) => void): number {
    let at = from;
    while (at < piece.length) {
      this.#escape += String.fromCharCode(piece[at] ?? 0);
      at += 1;
      if (this.#escape.length < (this.#escape[1] === 'u' ? 6 : 2)) continue;
      this.#unescape(this.#escape, write);
      this.#escape = '';
      return at;
    }
    return at;
  }

  #unescape(escape: string, write: (bytes: Buffer) => void): void {
    const [, letter = ''] = escape;
    if (letter !== 'u') {
      const code = letter.charCodeAt(0);
      this.#plain(Buffer.from([ESCAPES.get(code) ?? code]), write);
      return;
    }
    const unit = Number.parseInt(escape.slice(2), 16);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow && this.#high !== undefined) {
      const character = String.fromCharCode(this.#high, unit);
      this.#high = undefined;
      write(Buffer.from(character));
      return;
    }
    this.#dropHigh(write);
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else if (isLow || Number.isNaN(unit)) write(REPLACEMENT);
    else this.#plain(Buffer.from(String.fromCharCode(unit)), write);
  }

  /** Half of a pair has no form in UTF-8. */
  #dropHigh(write: (bytes: Buffer) => void): void {
    if (this.#high === undefined) return;
    this.#high = undefined;
    write(REPLACEMENT);
  }
}
