import { connect, type Socket } from 'node:net';
import { HttpResponseReader, type ResponseSink } from './http-response-reader.ts';

/**
 * A keep-alive connection with one request at a time.
 *
 * Responsible for bytes only. Leaves verification to the sink, which throws if a response is wrong.
 */
export class Connection implements Disposable {
  readonly #socket: Socket;
  #sink: ResponseSink | undefined;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new HttpResponseReader({
      body: (part) => this.#expectAnswer().body(part),
      end: (status) => this.#end(status),
    });
    socket.on('data', (data) => {
      try {
        reader.push(data);
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () =>
      this.#fail(new Error('The server closed the connection before the end of its response.')),
    );
  }

  static async open(url: URL): Promise<Connection> {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new Connection(socket);
  }

  /** Sends a request and resolves when the sink has accepted the whole response. */
  exchange(request: Buffer, sink: ResponseSink): Promise<void> {
    this.#sink = sink;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  [Symbol.dispose](): void {
    this.#sink = undefined;
    this.#socket.destroy();
  }

  #expectAnswer(): ResponseSink {
    if (this.#sink === undefined) throw new Error('The server sent bytes without a request.');
    return this.#sink;
  }

  #end(status: number): void {
    const sink = this.#expectAnswer();
    this.#sink = undefined;
    sink.end(status);
    this.#resolve();
  }

  #fail(error: Error): void {
    this.#sink = undefined;
    this.#socket.destroy();
    this.#reject(error);
  }
}
