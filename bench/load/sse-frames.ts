/** Cuts the text of an SSE body into frames and hands on the data of each; comments and other fields are passed over. */
export class SseFrames {
  readonly #onData: (data: string) => void;
  #pending = '';

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  /** Latin-1 keeps offsets and costs least; callers look at ASCII alone. */
  push(part: Buffer): void {
    const text = this.#pending + part.toString('latin1');
    let start = 0;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', start)) {
      this.#readFrame(text.slice(start, end));
      start = end + 2;
    }
    this.#pending = text.slice(start);
  }

  /** What has arrived of a frame that has not ended. */
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
