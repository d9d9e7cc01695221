/** Splits an SSE body into frames and passes on the data of each; comments and other fields are ignored. */
export class SseFrames {
  readonly #onData: (data: string) => void;
  #pending = '';

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  /** Latin-1 keeps offsets and is the cheapest; callers only look at ASCII. */
  push(part: Buffer): void {
    const text = this.#pending + part.toString('latin1');
    let start = 0;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', start)) {
      this.#readFrame(text.slice(start, end));
      start = end + 2;
    }
    this.#pending = text.slice(start);
  }

  /** The incomplete frame so far. */
  get rest(): string {
    return this.#pending;
  }

  #readFrame(frame: string): void {
    const field = frame.startsWith('data:') ? 0 : frame.indexOf('\ndata:') + 1;
    if (field === 0 && !frame.startsWith('data:')) return;
    const end = frame.indexOf('\n', field);
    this.#onData(frame.slice(field + 'data:'.length, end === -1 ? undefined : end));
  }
}
