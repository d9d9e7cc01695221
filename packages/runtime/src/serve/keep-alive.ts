import type { ServerResponse } from 'node:http';

/**
 * Keeps idle event streams open: proxies close connections on which nothing moves.
 *
 * Responsible for one timer over all open streams of a server, because a timer each would cost memory for every idle
 * subscriber, and for ending all of them when the server stops. Leaves the events to event-stream.
 */
export class KeepAlive {
  readonly #streams = new Set<OpenStream>();
  readonly #intervalMilliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalSeconds: number) {
    this.#intervalMilliseconds = intervalSeconds * 1000;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), this.#intervalMilliseconds).unref();
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Ends every open stream; their clients come back with their cursor. */
  endAll(): void {
    for (const stream of this.#streams) stream.end();
  }

  #beat(): void {
    for (const stream of this.#streams) {
      if (stream.wroteSinceBeat) stream.wroteSinceBeat = false;
      else if (!stream.response.writableNeedDrain) stream.response.write(': keep-alive\n\n');
    }
  }
}

export interface OpenStream {
  readonly response: ServerResponse;
  wroteSinceBeat: boolean;
  /** Stops pulling events and ends the response. */
  end(): void;
}
