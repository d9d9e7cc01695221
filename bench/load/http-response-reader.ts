const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);

/** Receives the parts of a response. */
export interface ResponseSink {
  body(part: Buffer): void;
  end(status: number): void;
}

type Stage = 'head' | 'fixed-body' | 'chunk-size' | 'chunk-data' | 'chunk-data-end' | 'trailer';

/**
 * Parses HTTP/1.1 responses from the bytes of one keep-alive connection, one response at a time.
 *
 * Only supports Content-Length and chunked bodies: anything else is an error, because a load generator that guesses would
 * count wrong responses.
 */
export class HttpResponseReader {
  readonly #sink: ResponseSink;
  #pending: Buffer = NOTHING;
  #stage: Stage = 'head';
  #status = 0;
  #remaining = 0;

  /** The action for each stage; each returns whether there were enough bytes. */
  readonly #steps: Record<Stage, () => boolean> = {
    head: () => this.#readHead(),
    'fixed-body': () => this.#readData(() => this.#finish()),
    'chunk-size': () => this.#readLine((line) => this.#beginChunk(line)),
    'chunk-data': () => this.#readData(() => this.#enter('chunk-data-end')),
    'chunk-data-end': () => this.#readLine(() => this.#enter('chunk-size')),
    trailer: () => this.#readLine((line) => this.#endTrailer(line)),
  };

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  push(data: Buffer): void {
    this.#pending = this.#pending.length === 0 ? data : Buffer.concat([this.#pending, data]);
    while (this.#steps[this.#stage]());
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(HEAD_END);
    if (end === -1) return false;
    const head = this.#pending.toString('latin1', 0, end);
    this.#pending = this.#pending.subarray(end + HEAD_END.length);
    this.#status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (!Number.isInteger(this.#status)) {
      throw new Error(`Expected an HTTP/1.1 response, received ${JSON.stringify(head.slice(0, 60))}.`);
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      this.#remaining = Number(length);
      this.#enter('fixed-body');
      if (this.#remaining === 0) this.#finish();
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#enter('chunk-size');
    } else {
      throw new Error(
        `Expected a response with a length or in chunks, received the head ${JSON.stringify(head)}.`,
      );
    }
    return true;
  }

  #beginChunk(sizeLine: string): void {
    this.#remaining = Number.parseInt(sizeLine, 16);
    if (Number.isNaN(this.#remaining)) {
      throw new Error(`Expected the size of a chunk, received ${JSON.stringify(sizeLine.slice(0, 60))}.`);
    }
    this.#enter(this.#remaining === 0 ? 'trailer' : 'chunk-data');
  }

  #readLine(then: (line: string) => void): boolean {
    const end = this.#pending.indexOf(LINE_END);
    if (end === -1) return false;
    const line = this.#pending.toString('latin1', 0, end);
    this.#pending = this.#pending.subarray(end + LINE_END.length);
    then(line);
    return true;
  }

  #readData(then: () => void): boolean {
    if (this.#pending.length === 0) return false;
    const part = this.#pending.subarray(0, this.#remaining);
    this.#pending = this.#pending.subarray(part.length);
    this.#remaining -= part.length;
    this.#sink.body(part);
    if (this.#remaining === 0) then();
    return true;
  }

  #endTrailer(line: string): void {
    if (line === '') this.#finish();
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
  }

  #finish(): void {
    this.#enter('head');
    this.#sink.end(this.#status);
  }
}
