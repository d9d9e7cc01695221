import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { charactersOf, jsonPieces } from '@holdword/protocol/internal';
import type { Log } from '../log.ts';
import type { RequestObservation } from '../observe/observer.ts';
import {
  type KeepAlive,
  MOST_HELD_BYTES,
  type OpenStream,
  tooManyLargeAnswers,
  writePieces,
} from './event-stream.ts';
import { logFailure } from './log-failure.ts';

const SLICE_BYTES = 64 * 1024;
/** What an answer of lazy lists keeps in memory besides what it holds: a page of events. */
const LAZY_BYTES = 1024 * 1024;

/** What the answers of one handler share. */
export interface AnswerContext {
  readonly keepAlive: KeepAlive;
  readonly log: Log;
}

/**
 * Starts to send an answer that is too large to be written at once: it is written at the speed of its reader, who is cut off after
 * accepting nothing for too long, like the reader of a stream. Throws, and sends nothing, if too many of them wait for their
 * readers. Ends the observation.
 *
 * Returns at once: a handler that waited would keep the body of its request in memory.
 */
export function startLargeAnswer(
  context: AnswerContext,
  response: ServerResponse,
  contentType: string,
  /** The JSON of the answer, or what stands around a lazy value. */
  answer: string | { readonly before: string; readonly value: unknown; readonly after: string },
  observation: RequestObservation,
): void {
  const headers: OutgoingHttpHeaders = { 'Content-Type': contentType };
  if (typeof answer !== 'string') {
    const pieces = around(answer.before, jsonPieces(answer.value), answer.after);
    return start(context, response, headers, pieces, LAZY_BYTES + charactersOf(answer.value), observation);
  }
  const bytes = Buffer.from(answer);
  headers['Content-Length'] = bytes.length;
  start(context, response, headers, slices(bytes), bytes.length, observation);
}

function start(
  { keepAlive, log }: AnswerContext,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncIterable<string> | Iterable<Buffer>,
  heldBytes: number,
  observation: RequestObservation,
): void {
  const open: OpenStream = { response, wroteSinceBeat: true, stalledSeconds: 0, heldBytes };
  keepAlive.requireRoom(heldBytes);
  keepAlive.add(open);
  response.writeHead(200, headers);
  writePieces(open, pieces)
    .then(() => endOf(response))
    .then(
      () => observation.end(),
      (error: unknown) => {
        // The reader sees that the answer is incomplete.
        response.destroy();
        logFailure(log, error);
        observation.end(error);
      },
    )
    .finally(() => keepAlive.delete(open));
}

/** Resolves when the last piece has left, or the connection is closed. */
function endOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    response.once('close', resolve);
    response.end(() => resolve());
  });
}

async function* around(before: string, pieces: AsyncIterable<string>, after: string): AsyncGenerator<string> {
  yield before;
  yield* pieces;
  yield after;
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
  }
}

/** A reader has the time in which a stream counts as stalled for each of these. */
const TIMED_BYTES = 1024 * 1024;

interface UnreadAnswer {
  readonly caller: string;
  readonly bytes: number;
  readonly stream: ServerHttp2Stream;
}

/**
 * The large answers of gRPC that wait for their readers. A message of gRPC is written at once, and the library keeps it until the
 * reader has taken all of it, which may be never.
 *
 * Responsible for the memory of all of them, and for closing those that are not taken in time. If there is no room, the oldest
 * answer of the caller who holds most is closed, unless that is who asks.
 */
export class UnreadAnswers {
  readonly #stalledMilliseconds: number;
  readonly #mostBytes: number;
  /** Oldest first. */
  readonly #answers = new Set<UnreadAnswer>();
  #heldBytes = 0;

  constructor(stalledSeconds: number, mostBytes = MOST_HELD_BYTES) {
    this.#stalledMilliseconds = stalledSeconds * 1000;
    this.#mostBytes = mostBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** An answer is about to be written. Throws if there is no room for it. */
  add(caller: string, stream: ServerHttp2Stream | undefined, bytes: number): void {
    // What fits into the buffers of a connection is not worth a timer.
    if (bytes <= SLICE_BYTES || stream === undefined || stream.closed) return;
    while (this.#heldBytes + bytes > this.#mostBytes) {
      const oldest = this.#oldestOfLargest(caller, bytes);
      if (oldest === undefined) throw tooManyLargeAnswers();
      this.#close(oldest);
    }
    const answer = { caller, bytes, stream };
    this.#answers.add(answer);
    this.#heldBytes += bytes;
    const allowed = this.#stalledMilliseconds * Math.ceil(bytes / TIMED_BYTES);
    const timer = setTimeout(() => this.#close(answer), allowed).unref();
    stream.once('close', () => {
      clearTimeout(timer);
      this.#delete(answer);
    });
  }

  #oldestOfLargest(asking: string, bytes: number): UnreadAnswer | undefined {
    const held = new Map([[asking, bytes]]);
    for (const answer of this.#answers)
      held.set(answer.caller, (held.get(answer.caller) ?? 0) + answer.bytes);
    const most = Math.max(...held.values());
    if (held.get(asking) === most) return undefined;
    return [...this.#answers].find(({ caller }) => held.get(caller) === most);
  }

  #close(answer: UnreadAnswer): void {
    this.#delete(answer);
    answer.stream.close(constants.NGHTTP2_CANCEL);
  }

  #delete(answer: UnreadAnswer): void {
    if (this.#answers.delete(answer)) this.#heldBytes -= answer.bytes;
  }
}
