import type { ServerResponse } from 'node:http';
import { A2AError } from '@holdword/protocol';
import { drained } from '@holdword/runtime/internal';

/** Proxies close connections that are idle for longer. */
const BEAT_MILLISECONDS = 15_000;
/** More viewers than that are a mistake or an attack. */
const MOST_STREAMS = 500;
/** A client that takes nothing for this many beats is gone. */
const MOST_STALLED_BEATS = 8;

interface OpenStream {
  readonly response: ServerResponse;
  readonly isStillAllowed: () => Promise<boolean>;
  stalledBeats: number;
}

/**
 * Writes streams and files to clients at the speed that they read (J5), keeps idle streams open, and ends those of sessions that
 * have ended, and all of them when the console closes. A client reconnects with its last event ID.
 */
export class Streams {
  readonly #open = new Set<OpenStream>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Fires when the client has disconnected or the console closes. */
  signalOf(response: ServerResponse): AbortSignal {
    const left = new AbortController();
    response.once('close', () => left.abort());
    return AbortSignal.any([left.signal, this.#closing.signal]);
  }

  close(): void {
    this.#closing.abort();
    clearInterval(this.#timer);
    for (const { response } of this.#open) response.end();
  }

  async sendEvents(
    response: ServerResponse,
    batches: AsyncIterable<string>,
    signal: AbortSignal,
    isStillAllowed: () => Promise<boolean>,
  ): Promise<void> {
    if (this.#open.size >= MOST_STREAMS) {
      throw new A2AError(
        'RESOURCE_EXHAUSTED',
        'Too many pages of the console are open. Close some of them.',
        {
          retryAfterSeconds: 30,
        },
      );
    }
    const stream: OpenStream = { response, isStillAllowed, stalledBeats: 0 };
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), BEAT_MILLISECONDS).unref();
    try {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      // So that the client knows that it is connected, even if nothing happens.
      response.write(': connected\n\n');
      for await (const batch of batches) {
        if (signal.aborted) break;
        stream.stalledBeats = 0;
        if (!response.write(batch)) await drained(response);
      }
    } finally {
      this.#open.delete(stream);
      response.end();
    }
  }

  async sendPieces(response: ServerResponse, pieces: AsyncIterable<string | Buffer>): Promise<void> {
    for await (const piece of pieces) {
      if (response.closed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  }

  #beat(): void {
    for (const stream of this.#open) {
      const { response, isStillAllowed } = stream;
      if (response.writableNeedDrain) {
        stream.stalledBeats += 1;
        if (stream.stalledBeats >= MOST_STALLED_BEATS) response.destroy();
        continue;
      }
      // An event, not a comment: the page notices connections that are silent for too long.
      response.write('event: ping\ndata: {}\n\n');
      void endUnlessAllowed(response, isStillAllowed);
    }
  }
}

async function endUnlessAllowed(
  response: ServerResponse,
  isStillAllowed: () => Promise<boolean>,
): Promise<void> {
  if (!(await isStillAllowed())) response.destroy();
}
