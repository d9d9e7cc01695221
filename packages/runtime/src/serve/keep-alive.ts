import type { ServerResponse } from 'node:http';

/**
 * Keeps idle event streams open, because proxies close idle connections, and closes those whose reader has stalled.
 *
 * Responsible for one timer for all open streams of a server, because a timer per stream would cost memory for every
 * idle subscriber, and for ending them all when the server stops. Leaves the events to event-stream.
 */
export class KeepAlive {
  readonly #streams = new Set<OpenStream>();
  readonly #intervalSeconds: number;
  readonly #stalledSeconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: { keepAliveSeconds: number; stalledStreamSeconds: number }) {
    this.#intervalSeconds = limits.keepAliveSeconds;
    this.#stalledSeconds = limits.stalledStreamSeconds;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), this.#intervalSeconds * 1000).unref();
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Ends every open stream. Clients reconnect with their last event ID. */
  endAll(): void {
    for (const stream of this.#streams) stream.end();
  }

  #beat(): void {
    for (const stream of this.#streams) {
      if (stream.wroteSinceBeat) {
        stream.wroteSinceBeat = false;
        stream.stalledSeconds = 0;
      } else if (stream.response.writableNeedDrain) {
        stream.stalledSeconds += this.#intervalSeconds;
        if (stream.stalledSeconds >= this.#stalledSeconds) stream.response.destroy();
      } else {
        stream.stalledSeconds = 0;
        stream.response.write(': keep-alive\n\n');
      }
    }
  }
}

export interface OpenStream {
  readonly response: ServerResponse;
  wroteSinceBeat: boolean;
  /** How long the reader has accepted none of the data that waits for it. */
  stalledSeconds: number;
  /** Stops pulling events and ends the response. */
  end(): void;
}
