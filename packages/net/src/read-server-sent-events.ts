import { StringDecoder } from 'node:string_decoder';

export interface ServerSentEvent {
  /** `message` unless the stream names another type. */
  type: string;
  data: string;
  id?: string;
}

/** The maximum length of an event in characters, and the error for a longer one. */
export interface EventLimit {
  length: number;
  tooLong: () => Error;
}

/**
 * Parses server-sent events as the HTML standard defines them: lines end with CR, LF or both, a chunk may end anywhere,
 * comments are ignored, and an event that is incomplete at the end of the stream is dropped.
 */
export async function* readServerSentEvents(
  body: AsyncIterable<Buffer>,
  limit: EventLimit,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new StringDecoder('utf8');
  let pending: string[] = [];
  let pendingLength = 0;
  let event = new OpenEvent();
  let endedWithReturn = false;
  let atStart = true;
  for await (const chunk of body) {
    let text = decoder.write(chunk);
    if (text === '') continue;
    if (atStart && text.startsWith('\uFEFF')) text = text.slice(1);
    atStart = false;
    // The line feed of a CRLF that was split between two chunks.
    if (endedWithReturn && text.startsWith('\n')) text = text.slice(1);
    endedWithReturn = text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      pending.push(line);
      const whole = pending.join('');
      pending = [];
      pendingLength = 0;
      if (whole !== '') event.add(whole);
      else {
        if (event.hasData) yield event.finish();
        event = new OpenEvent();
      }
    }
    pending.push(rest);
    pendingLength += rest.length;
    if (pendingLength + event.length > limit.length) throw limit.tooLong();
  }
}

/** The fields of an incomplete event. */
class OpenEvent {
  readonly #data: string[] = [];
  #type = 'message';
  #id: string | undefined;
  #length = 0;

  get hasData(): boolean {
    return this.#data.length > 0;
  }

  get length(): number {
    return this.#length;
  }

  add(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') {
      this.#data.push(value);
      this.#length += value.length;
    } else if (name === 'event' && value !== '') this.#type = value;
    else if (name === 'id') this.#id = value;
  }

  finish(): ServerSentEvent {
    const data = this.#data.join('\n');
    return { type: this.#type, data, ...(this.#id !== undefined && { id: this.#id }) };
  }
}
