import type { ServerResponse } from 'node:http';
import { A2AError, isA2AError, type StreamResponse } from '@holdword/protocol';
import { jsonPieces } from '@holdword/protocol/internal';
import { afterOtherWork } from '../after-other-work.ts';
import type { Log } from '../log.ts';
import type { RequestObservation } from '../observe/observer.ts';
import type { EventStream, StreamFrame } from '../operations/operations.ts';
import type { ClientConnection } from './dispatch.ts';
import { logFailure } from './log-failure.ts';

/** How a binding wraps the JSON of a frame, and what it writes when a stream fails midway. */
export interface Framing {
  readonly before: string;
  readonly after: string;
  /** Converts an event to another version of A2A. Events of 1.0 are sent as they were committed. */
  readonly encodeEvent?: ((event: StreamResponse) => unknown) | undefined;
  /** Complete lines of one server-sent event. */
  encodeError(error: unknown): string;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/**
 * Writes a stream as server-sent events, one write per batch, ends the response, and then the observation. The next batch is
 * pulled only when the socket is writable again (J5), so a slow reader does not make the server buffer anything.
 *
 * Returns at once: a request handler that waited for the end would stay in memory, with its request's body, for every idle
 * subscriber.
 */
export function startEventStream(
  context: { readonly keepAlive: KeepAlive; readonly log: Log },
  result: { readonly stream: EventStream; readonly release: () => void },
  framing: Framing,
  client: ClientConnection,
  response: ServerResponse,
  observation: RequestObservation,
): void {
  writeEventStream(context, result, framing, client, response).then(
    () => observation.end(),
    (error: unknown) => {
      logFailure(context.log, error);
      observation.end(error);
    },
  );
}

async function writeEventStream(
  { keepAlive, log }: { readonly keepAlive: KeepAlive; readonly log: Log },
  { stream, release }: { readonly stream: EventStream; readonly release: () => void },
  framing: Framing,
  client: ClientConnection,
  response: ServerResponse,
): Promise<void> {
  const open: OpenStream = { response, wroteSinceBeat: true, stalledSeconds: 0, end: () => client.abort() };
  response.writeHead(200, HEADERS);
  response.flushHeaders();
  keepAlive.add(open);
  const frames = stream[Symbol.asyncIterator]();
  try {
    while ((await writeNext(frames, framing, open)) && !client.signal.aborted);
  } catch (error) {
    // Also if the server ends the stream, unless that has a reason, which is written below.
    if (!response.closed && !isA2AError(reasonOf(client))) {
      logFailure(log, error);
      response.write(framing.encodeError(error));
    }
  } finally {
    keepAlive.delete(open);
    release();
    await frames.return?.();
    const reason = reasonOf(client);
    if (isA2AError(reason) && !response.closed) response.write(framing.encodeError(reason));
    response.end();
  }
}

function reasonOf({ signal }: ClientConnection): unknown {
  return signal.reason;
}

/**
 * Writes the next batch. Resolves with whether there may be more. A function of its own, so that nothing of the last batch
 * stays in memory while the next one is awaited.
 */
async function writeNext(
  frames: AsyncIterator<readonly StreamFrame[]>,
  framing: Framing,
  open: OpenStream,
): Promise<boolean> {
  const next = await frames.next();
  const { response } = open;
  if (next.done === true || response.closed) return false;
  open.wroteSinceBeat = true;
  const [first] = next.value;
  if (first?.lazy !== undefined) await writePieces(open, lazyFrame(first.lazy, first.sequence, framing));
  else if (!response.write(encodeFrames(next.value, framing))) await drained(response);
  return true;
}

/** A frame that is too large for one text. It is the only one of its batch. */
async function* lazyFrame(
  event: StreamResponse,
  sequence: number | undefined,
  { before, after, encodeEvent }: Framing,
): AsyncGenerator<string> {
  yield `${sequence === undefined ? '' : `id: ${sequence}\n`}data: ${before}`;
  yield* jsonPieces(encodeEvent ? encodeEvent(event) : event);
  yield `${after}\n\n`;
}

const PIECE_CHARACTERS = 64 * 1024;

/** Writes pieces at the speed of the reader: the next one is pulled when the socket is writable again. */
export async function writePieces(
  open: OpenStream,
  pieces: AsyncIterable<string> | Iterable<Buffer>,
): Promise<void> {
  const { response } = open;
  open.isIncomplete = true;
  let short = '';
  for await (const piece of pieces) {
    if (response.closed) return;
    if (typeof piece === 'string') short += piece;
    if (typeof piece === 'string' && short.length < PIECE_CHARACTERS) continue;
    open.wroteSinceBeat = true;
    // Of a text, Node.js would count the bytes before it encodes them.
    const isAccepted = response.write(typeof piece === 'string' ? Buffer.from(short) : piece);
    short = '';
    if (!isAccepted) await drained(response);
    // A reader that is fast enough drains the buffer at once, and nothing else would run until everything is written.
    await afterOtherWork();
  }
  if (short !== '' && !response.write(short)) await drained(response);
  open.isIncomplete = false;
}

function encodeFrames(frames: readonly StreamFrame[], { before, after, encodeEvent }: Framing): string {
  let text = '';
  for (const { json, sequence } of frames) {
    if (sequence !== undefined) text += `id: ${sequence}\n`;
    const data = encodeEvent ? JSON.stringify(encodeEvent(JSON.parse(json) as StreamResponse)) : json;
    text += `data: ${before}${data}${after}\n\n`;
  }
  return text;
}

/** Resolves when the socket is writable again, or closed. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.closed) done();
  });
}

/** What the large answers of a server may keep in memory while they wait for their readers. */
export const MOST_HELD_BYTES = 256 * 1024 * 1024;

/**
 * Keeps idle event streams open, because proxies close idle connections, and closes streams and large answers whose reader has
 * stalled.
 *
 * Responsible for one timer for all open streams of a server, because a timer per stream would cost memory for every
 * idle subscriber, for ending them all when the server stops, and for the memory of answers that wait for their readers.
 * Leaves the events to event-stream.
 */
export class KeepAlive {
  readonly #streams = new Set<OpenStream>();
  /** Half of the interval: what was written after a beat is known to be old enough at the second beat after it. */
  readonly #beatSeconds: number;
  readonly #stalledSeconds: number;
  #timer: NodeJS.Timeout | undefined;
  #heldBytes = 0;

  constructor(limits: { keepAliveSeconds: number; stalledStreamSeconds: number }) {
    this.#beatSeconds = limits.keepAliveSeconds / 2;
    this.#stalledSeconds = limits.stalledStreamSeconds;
  }

  /** Makes room for a large answer: others that have stalled are closed early. Throws if there is none. */
  requireRoom(bytes: number): void {
    for (const stream of this.#streams) {
      if (this.#heldBytes + bytes <= MOST_HELD_BYTES) return;
      if (stream.heldBytes === undefined || stream.stalledSeconds === 0) continue;
      stream.response.destroy();
      this.delete(stream);
    }
    if (this.#heldBytes + bytes <= MOST_HELD_BYTES) return;
    throw tooManyLargeAnswers();
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.#heldBytes += stream.heldBytes ?? 0;
    this.#timer ??= setInterval(() => this.#beat(), this.#beatSeconds * 1000).unref();
  }

  delete(stream: OpenStream): void {
    if (!this.#streams.delete(stream)) return;
    this.#heldBytes -= stream.heldBytes ?? 0;
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Ends every open stream. Clients reconnect with their last event ID. */
  endAll(): void {
    for (const stream of this.#streams) stream.end?.();
  }

  #beat(): void {
    for (const stream of this.#streams) {
      if (stream.wroteSinceBeat) {
        stream.wroteSinceBeat = false;
        stream.stalledSeconds = 0;
      } else if (
        stream.isIncomplete === true ||
        stream.heldBytes !== undefined ||
        stream.response.writableNeedDrain
      ) {
        stream.stalledSeconds += this.#beatSeconds;
        if (stream.stalledSeconds >= this.#stalledSeconds) stream.response.destroy();
      } else {
        stream.stalledSeconds = 0;
        stream.wroteSinceBeat = true;
        stream.response.write(': keep-alive\n\n');
      }
    }
  }
}

export function tooManyLargeAnswers(): A2AError {
  return new A2AError(
    'RESOURCE_EXHAUSTED',
    'The server is sending too many large answers at once. Retry in a few seconds, or request smaller pages.',
    { retryAfterSeconds: 5 },
  );
}

export interface OpenStream {
  readonly response: ServerResponse;
  wroteSinceBeat: boolean;
  /** How long the reader has accepted none of the data that waits for it. */
  stalledSeconds: number;
  /** Stops pulling events and ends the response. Absent for an answer, which is short. */
  end?(): void;
  /** What an answer keeps in memory. Absent for streams. */
  readonly heldBytes?: number;
  /** A frame or an answer is being written, so no comment fits in. */
  isIncomplete?: boolean;
}
