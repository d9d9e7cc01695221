import { createReadStream } from 'node:fs';
import { renderBytes } from '../command-line/render-table.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError } from '../usage-error.ts';
import {
  describeHeader,
  DigestChain,
  parseLine,
  parseSealed,
  type RecordedEvent,
  type RecordingHeader,
  type RecordingLine,
} from './recording-format.ts';

/** One line is in memory at a time. */
const MOST_LINE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 10;

/** An event of a file, and where its line begins. */
export interface StoredEvent extends RecordedEvent {
  readonly offset: number;
}

/** A recording in a file. */
export interface RecordingFile {
  readonly header: RecordingHeader;
  readonly events: number;
}

/**
 * Reads a recording from its first line to its last, which verifies it. Nothing is known about a file before it was read to its end.
 *
 * @throws CommandError that names the first line that is wrong.
 */
export async function verifyRecording(
  path: string,
  onEvent: (event: StoredEvent, header: RecordingHeader) => void = () => {},
): Promise<RecordingFile> {
  const reading = readVerified(path);
  const first = await reading.next();
  if (first.done === true) throw wrong(path, 1, 'the file is empty');
  const header = 'header' in first.value ? first.value.header : undefined;
  if (header === undefined) throw wrong(path, 1, 'it has no header');
  let events = 0;
  for await (const line of reading) {
    if (!('recorded' in line)) continue;
    events += 1;
    onEvent(line.recorded, header);
  }
  return { header, events };
}

/** The events of a file, verified while they are read. One that is damaged rejects where the damage is, after what is before it. */
export async function* readRecording(path: string): AsyncGenerator<StoredEvent, void, undefined> {
  for await (const line of readVerified(path)) if ('recorded' in line) yield line.recorded;
}

/** The events of a file that was verified, from a line on. */
export async function* readFrom(
  path: string,
  offset: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const { text } of readLines(path, offset)) {
    const line = parseLine(parseSealed(text), 2);
    if (line === undefined || !('recorded' in line)) return;
    yield line.recorded;
  }
}

type VerifiedLine = Exclude<RecordingLine, { recorded: RecordedEvent }> | { recorded: StoredEvent };

async function* readVerified(path: string): AsyncGenerator<VerifiedLine, void, undefined> {
  const chain = new DigestChain();
  const sequences = new Sequences();
  let number = 0;
  let events = 0;
  let hasEnded = false;
  for await (const { text, offset } of readLines(path)) {
    number += 1;
    if (hasEnded) throw wrong(path, number, 'there is something after the last line');
    const isIntact = chain.verify(text);
    if (isIntact === undefined) {
      const header = number === 1 ? valueOr(() => JSON.parse(text) as unknown) : undefined;
      throw wrong(
        path,
        number,
        number === 1 ? describeHeader(header) : 'it is cut off, or is no line of a recording',
      );
    }
    const value = valueOr(() => parseSealed(text));
    const line = parseLine(value, number);
    const gap = line !== undefined && 'recorded' in line ? sequences.problemWith(line.recorded) : undefined;
    if (!isIntact) {
      throw wrong(
        path,
        number,
        gap ?? 'its digest does not match: the line, or the one before it, was changed',
      );
    }
    if (line === undefined) {
      throw wrong(path, number, number === 1 ? describeHeader(value) : 'it is no event of a recording');
    }
    if (gap !== undefined) throw wrong(path, number, gap);
    if ('end' in line) {
      hasEnded = true;
      if (line.end.events !== events) {
        throw wrong(path, number, `it counts ${line.end.events} events, and there are ${events}`);
      }
    }
    if ('recorded' in line) {
      events += 1;
      yield { recorded: { ...line.recorded, offset } };
    } else {
      yield line;
    }
  }
  if (hasEnded) return;
  throw new CommandError(
    number === 0
      ? `${path}: the file is empty.`
      : `${path}: the file ends after line ${number}, without the last line of a recording. It is incomplete: write it again.`,
  );
}

/** The numbers of the events of each task have no gaps. */
class Sequences {
  readonly #last = new Map<string, number>();

  problemWith({ event, sequence }: RecordedEvent): string | undefined {
    const taskId = taskIdOf(event);
    if (taskId === undefined) return sequence === undefined ? undefined : 'it has a number and no task';
    const expected = (this.#last.get(taskId) ?? 0) + 1;
    this.#last.set(taskId, expected);
    if (sequence === expected) return undefined;
    return `expected event ${expected} of task ${taskId.slice(0, 100)}, found ${sequence ?? 'no number'}: a line is missing or moved`;
  }
}

/** The task that an event belongs to. */
export function taskIdOf(event: RecordedEvent['event']): string | undefined {
  if ('task' in event) return event.task.id;
  if ('statusUpdate' in event) return event.statusUpdate.taskId;
  return 'artifactUpdate' in event ? event.artifactUpdate.taskId : undefined;
}

/** Undefined if it is not JSON. */
function valueOr(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function wrong(path: string, line: number, why: string): CommandError {
  return new CommandError(`${path}: line ${line}: ${why}.`);
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

/** The lines of a file, one in memory at a time. */
async function* readLines(path: string, start = 0): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: Buffer[] = [];
  let bytes = 0;
  let offset = start;
  let number = 0;
  const take = (last: Buffer): Line => {
    number += 1;
    const line = Buffer.concat([...pieces, last]);
    const taken = { text: decode(line), offset };
    offset += line.length + 1;
    pieces = [];
    bytes = 0;
    return taken;
  };
  const decode = (line: Buffer): string => {
    try {
      return decoder.decode(line);
    } catch {
      throw wrong(path, number, 'it is not valid UTF-8');
    }
  };
  try {
    for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        yield take(chunk.subarray(from, end));
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      pieces.push(rest);
      bytes += rest.length;
      if (bytes > MOST_LINE_BYTES) {
        throw wrong(path, number + 1, `it is longer than ${renderBytes(MOST_LINE_BYTES)}`);
      }
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path}: ${whyUnreadable(error)}.`, { cause: error });
  }
  if (bytes > 0) yield take(Buffer.alloc(0));
}
