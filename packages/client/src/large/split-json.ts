import { A2AError } from '@holdword/protocol';
import { ContentDecoder, type LargeKind } from './content-decoder.ts';

/** Receives the content of one value, in pieces. */
export interface ContentWriter {
  /** Stands for the value in what remains of the JSON. */
  readonly placeholder: string;
  append(bytes: Buffer): void;
  /** Resolves when everything appended so far is written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface SplitOptions {
  /** Opens a writer for the content of a part. */
  readonly open: (kind: LargeKind) => ContentWriter;
  /** Maximum size of what remains. */
  readonly maxBytes: number;
  readonly tooLarge: () => Error;
  /** Maximum number of objects, lists and other values in what remains. */
  readonly maxValues: number;
  readonly tooManyValues: () => Error;
}

/** Shorter contents stay where they are. */
const MIN_LARGE_BYTES = 64 * 1024;

/** The fields of a part that hold its content, by the names that the bindings of A2A 1.0 and 0.3 give them. */
const CONTENT_FIELDS: Readonly<Record<string, LargeKind>> = { text: 'text', raw: 'raw', data: 'data' };
const FILE_FIELDS: Readonly<Record<string, LargeKind>> = { bytes: 'raw', fileWithBytes: 'raw' };
const PART_LISTS: ReadonlySet<string> = new Set(['parts', 'content']);
/** Untrusted JSON may be nested deeper than anything needs. */
const MAX_DEPTH = 10_000;
/** Longer than the name of any field that matters here. */
const MAX_FIELD_BYTES = 64;
const TAIL_BYTES = 64 * 1024;

/** An object or array that is open at the current position. */
interface Frame {
  readonly isObject: boolean;
  /** The field that the object or array is the value of. */
  readonly name: string;
  /** The contents that fields of this object may have. */
  readonly fields: Readonly<Record<string, LargeKind>> | undefined;
  /** Whether it is inside metadata, where nothing is a part. */
  readonly isForeign: boolean;
  /** The texts of a list of parts. */
  readonly texts: TextPack | undefined;
  field: string;
  expectsField: boolean;
}

/**
 * The texts of one list of parts. Together they go to one file, joined by line breaks as they are shown to models: an agent that
 * streams may leave a hundred thousand short ones.
 */
interface TextPack {
  size: number;
  writer: ContentWriter | undefined;
  /** Texts that stay where they are unless more follow. */
  readonly slots: { bytes: Buffer }[];
}

/** A content that is being read. It stays in memory until it is known to be large. */
interface OpenContent {
  readonly kind: LargeKind;
  readonly decoder: ContentDecoder | undefined;
  readonly pack: TextPack | undefined;
  waiting: Buffer[];
  size: number;
  writer: ContentWriter | undefined;
}

const JOINT = Buffer.from('\n');
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Reads JSON in chunks and moves the long contents of parts elsewhere, so that a response of any size takes little memory.
 *
 * Responsible for what remains being the same JSON with placeholders. Leaves the validation of the JSON to whoever parses
 * what remains, and where contents go to the writers. Takes linear time.
 */
export class JsonSplitter {
  readonly #options: SplitOptions;
  readonly #frames: Frame[] = [];
  readonly #rest: { bytes: Buffer }[] = [];
  /** The end of what remains, of which the bytes from `#tailStart` on are not in `#rest` yet: most pieces are tiny. */
  #tail = Buffer.alloc(0);
  #tailStart = 0;
  #tailEnd = 0;
  #restBytes = 0;
  #values = 1;
  #state: 'structure' | 'string' | 'field' | 'content-string' | 'content-json' = 'structure';
  /** Whether the previous chunk ended after a backslash. */
  #isEscaped = false;
  #field = '';
  #content: OpenContent | undefined;
  /** Writers that have everything but are not closed yet. */
  #complete: ContentWriter[] = [];
  /** Open objects and arrays of a content that is JSON, and whether a string is open in it. */
  #depth = 0;
  #inString = false;

  constructor(options: SplitOptions) {
    this.#options = options;
  }

  /** Resolves when the chunk has been processed and its part of large contents is written. */
  async push(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      switch (this.#state) {
        case 'structure':
          at = this.#structure(chunk, at);
          break;
        case 'field':
        case 'string':
          at = this.#string(chunk, at);
          break;
        case 'content-string':
          at = await this.#contentString(chunk, at);
          break;
        case 'content-json':
        default:
          at = await this.#contentJson(chunk, at);
      }
    }
    await this.#content?.writer?.flush();
    await this.#closeComplete();
  }

  /** What remains. */
  async finish(): Promise<string> {
    // JSON that ends inside a content is not valid, which whoever parses what remains finds out.
    if (this.#content !== undefined) await this.#endContent();
    for (const { texts } of this.#frames) if (texts?.writer !== undefined) this.#complete.push(texts.writer);
    await this.#closeComplete();
    this.#closeTail();
    return Buffer.concat(this.#rest.map(({ bytes }) => bytes)).toString();
  }

  async #closeComplete(): Promise<void> {
    const complete = this.#complete;
    this.#complete = [];
    for (const writer of complete) await writer.close();
  }

  #structure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const frame = this.#frames.at(-1);
      if (byte === QUOTE) {
        const isField = frame?.expectsField === true;
        const kind = isField ? undefined : contentKind(frame);
        if (kind !== undefined) {
          this.#keep(chunk.subarray(from, at));
          this.#beginContent(kind);
          // A data part may be a string, which stays JSON.
          if (kind === 'data') return at;
          this.#state = 'content-string';
          return at + 1;
        }
        this.#state = isField ? 'field' : 'string';
        this.#keep(chunk.subarray(from, at + 1));
        return at + 1;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (contentKind(frame) === 'data') {
          this.#keep(chunk.subarray(from, at));
          this.#beginContent('data');
          return at;
        }
        this.#open(byte === OPEN_OBJECT, frame);
        this.#countValue();
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        const { texts } = this.#frames.pop() ?? {};
        if (texts?.writer !== undefined) this.#complete.push(texts.writer);
      } else if (byte === COMMA) {
        if (frame?.isObject === true) frame.expectsField = true;
        this.#countValue();
      }
    }
    this.#keep(chunk.subarray(from));
    return chunk.length;
  }

  #open(isObject: boolean, parent: Frame | undefined): void {
    if (this.#frames.length >= MAX_DEPTH) {
      throw new A2AError('INVALID_AGENT_RESPONSE', "The agent's response is nested too deeply.");
    }
    const name = parent?.isObject === true ? parent.field : '';
    const isForeign = parent?.isForeign === true || name === 'metadata';
    const isPart = parent?.isObject === false && PART_LISTS.has(parent.name);
    const isFile = parent?.fields === CONTENT_FIELDS && name === 'file';
    const fields = isPart ? CONTENT_FIELDS : isFile ? FILE_FIELDS : undefined;
    this.#frames.push({
      isObject,
      name,
      fields: isForeign || !isObject ? undefined : fields,
      isForeign,
      texts: !isObject && PART_LISTS.has(name) ? { size: 0, writer: undefined, slots: [] } : undefined,
      field: '',
      expectsField: isObject,
    });
  }

  #string(chunk: Buffer, from: number): number {
    const end = this.#endOfString(chunk, from);
    const bytes = chunk.subarray(from, end === -1 ? chunk.length : end);
    if (this.#state === 'field' && this.#field.length <= MAX_FIELD_BYTES) {
      this.#field += bytes.toString('latin1', 0, MAX_FIELD_BYTES + 1);
    }
    this.#keep(end === -1 ? bytes : chunk.subarray(from, end + 1));
    if (end === -1) return chunk.length;
    const frame = this.#frames.at(-1);
    if (this.#state === 'field' && frame !== undefined) {
      frame.field = this.#field;
      frame.expectsField = false;
    }
    this.#field = '';
    this.#state = 'structure';
    return end + 1;
  }

  async #contentString(chunk: Buffer, from: number): Promise<number> {
    const end = this.#endOfString(chunk, from);
    await this.#addContent(chunk.subarray(from, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    await this.#endContent();
    return end + 1;
  }

  async #contentJson(chunk: Buffer, from: number): Promise<number> {
    let at = from;
    while (at < chunk.length) {
      if (this.#inString) {
        const end = this.#endOfString(chunk, at);
        if (end === -1) break;
        this.#inString = false;
        at = end + 1;
      } else {
        const byte = chunk[at];
        if (byte === QUOTE) this.#inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth += 1;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth -= 1;
        at += 1;
      }
      if (this.#depth === 0 && !this.#inString) {
        await this.#addContent(chunk.subarray(from, at));
        await this.#endContent();
        return at;
      }
    }
    await this.#addContent(chunk.subarray(from));
    return chunk.length;
  }

  /** The index of the quote that ends the current string; -1 if it is not in this chunk. */
  #endOfString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    const quote = chunk.indexOf(QUOTE, at);
    if (!chunk.subarray(at, quote === -1 ? chunk.length : quote).includes(BACKSLASH)) return quote;
    // Byte by byte only if something is escaped: then there may be millions of escapes, and searching for each takes long.
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    this.#isEscaped = at > chunk.length;
    return -1;
  }

  #beginContent(kind: LargeKind): void {
    this.#state = 'content-json';
    // A text belongs to a part, and that to a list of parts.
    const pack = kind === 'text' ? this.#frames.at(-2)?.texts : undefined;
    pack?.writer?.append(JOINT);
    this.#content = {
      kind,
      decoder: kind === 'data' ? undefined : new ContentDecoder(kind),
      pack,
      waiting: [],
      size: pack?.size ?? 0,
      writer: pack?.writer,
    };
  }

  async #addContent(bytes: Buffer): Promise<void> {
    const content = this.#content;
    if (content === undefined) return;
    content.size += bytes.length;
    if (content.writer === undefined) {
      content.waiting.push(bytes);
      if (content.size <= MIN_LARGE_BYTES) return;
      content.writer = this.#options.open(content.kind);
      if (content.pack !== undefined) this.#beginPack(content.pack, content.writer);
      for (const waiting of content.waiting) this.#write(content, waiting);
      content.waiting = [];
    } else this.#write(content, bytes);
    await content.writer.flush();
  }

  /** Moves the texts before this one to the file. */
  #beginPack(pack: TextPack, writer: ContentWriter): void {
    pack.writer = writer;
    for (const slot of pack.slots.splice(0)) {
      const decoder = new ContentDecoder('text');
      const append = (decoded: Buffer): void => writer.append(decoded);
      decoder.push(slot.bytes.subarray(1, -1), append);
      decoder.end(append);
      writer.append(JOINT);
      this.#restBytes -= slot.bytes.length;
      slot.bytes = Buffer.from(JSON.stringify(writer.placeholder));
      this.#restBytes += slot.bytes.length;
    }
  }

  #write({ decoder, writer }: OpenContent, bytes: Buffer): void {
    if (decoder === undefined) writer?.append(bytes);
    else decoder.push(bytes, (decoded) => writer?.append(decoded));
  }

  async #endContent(): Promise<void> {
    const content = this.#content;
    this.#content = undefined;
    this.#state = 'structure';
    if (content === undefined) return;
    const { kind, decoder, pack, waiting, writer } = content;
    // With the joint, so that texts without content are not free.
    if (pack !== undefined) pack.size = content.size + JOINT.length;
    if (writer === undefined) {
      const quote = Buffer.from(kind === 'data' ? '' : '"');
      const bytes = Buffer.concat([quote, ...waiting, quote]);
      if (pack === undefined) this.#keep(bytes);
      else pack.slots.push(this.#keepApart(bytes));
      return;
    }
    decoder?.end((decoded) => writer.append(decoded));
    if (pack === undefined) await writer.close();
    else await writer.flush();
    const { placeholder } = writer;
    // Versions of A2A 0.3 wrap data in an object and unwrap it again, by one of these names.
    const value = kind === 'data' ? { data: placeholder, value: placeholder } : placeholder;
    this.#keep(Buffer.from(JSON.stringify(value)));
  }

  #keep(bytes: Buffer): void {
    this.#countBytes(bytes);
    for (let at = 0; at < bytes.length;) {
      if (this.#tailEnd === this.#tail.length) {
        this.#closeTail();
        this.#tail = Buffer.allocUnsafeSlow(TAIL_BYTES);
        this.#tailStart = 0;
        this.#tailEnd = 0;
      }
      const copied = bytes.copy(this.#tail, this.#tailEnd, at);
      at += copied;
      this.#tailEnd += copied;
    }
  }

  /** Keeps bytes that may be replaced. */
  #keepApart(bytes: Buffer): { bytes: Buffer } {
    this.#countBytes(bytes);
    this.#closeTail();
    const slot = { bytes };
    this.#rest.push(slot);
    return slot;
  }

  #closeTail(): void {
    if (this.#tailEnd > this.#tailStart) {
      this.#rest.push({ bytes: this.#tail.subarray(this.#tailStart, this.#tailEnd) });
    }
    this.#tailStart = this.#tailEnd;
  }

  #countBytes({ length }: Buffer): void {
    this.#restBytes += length;
    if (this.#restBytes > this.#options.maxBytes) throw this.#options.tooLarge();
  }

  #countValue(): void {
    this.#values += 1;
    if (this.#values > this.#options.maxValues) throw this.#options.tooManyValues();
  }
}

function contentKind(frame: Frame | undefined): LargeKind | undefined {
  if (frame?.fields === undefined || frame.expectsField) return undefined;
  return Object.hasOwn(frame.fields, frame.field) ? frame.fields[frame.field] : undefined;
}
