import { createParser } from 'eventsource-parser';

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
  const decoder = new TextDecoder();
  const events: ServerSentEvent[] = [];
  let isTooLong = false;
  let endsWithReturn = false;
  const parser = createParser({
    maxBufferSize: limit.length,
    onEvent: ({ event, data, id }) =>
      events.push({ type: event ?? 'message', data, ...(id !== undefined && { id }) }),
    // Anything else is a field that the standard says to ignore.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
    },
  });
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    // Line feeds only: the parser takes quadratic time for lines that end with CR, and waits for what follows the last.
    const rest = endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    endsWithReturn = text.endsWith('\r');
    parser.feed(rest.replaceAll(/\r\n?/g, '\n'));
    yield* events.splice(0);
    if (isTooLong) throw limit.tooLong();
  }
}
