import { createParser } from 'eventsource-parser';

export interface ServerSentEvent {
  /** `message` unless the stream names another type. */
  type: string;
  data: string;
  id?: string;
}

/** The maximum length of an event in characters, with the names of its fields, and the error for a longer one. */
export interface EventLimit {
  length: number;
  tooLong: () => Error;
}

/** What a line takes in memory beyond its characters: lines without content are not free. */
const LINE_COST = 32;

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
  let endsWithLine = true;
  /** What has arrived since the last empty line: everything that the parser can hold. */
  let pending = 0;
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
    const lines = rest.replaceAll(/\r\n?/g, '\n');
    if (lines === '') continue;
    const start = endOfLastEmptyLine(lines, endsWithLine);
    pending = (start === 0 ? pending : 0) + lines.length - start + LINE_COST * countLines(lines, start);
    endsWithLine = lines.endsWith('\n');
    parser.feed(lines);
    yield* events.splice(0);
    if (isTooLong || pending > limit.length) throw limit.tooLong();
  }
}

/** The position after the last empty line; 0 if there is none. */
function endOfLastEmptyLine(lines: string, beginsLine: boolean): number {
  const last = lines.lastIndexOf('\n\n');
  if (last !== -1) return last + 2;
  return beginsLine && lines.startsWith('\n') ? 1 : 0;
}

function countLines(lines: string, start: number): number {
  let count = 0;
  for (let end = lines.indexOf('\n', start); end !== -1; end = lines.indexOf('\n', end + 1)) count += 1;
  return count;
}
