import { connect, type Socket } from 'node:net';
import { HttpResponseReader, type ResponseSink } from './http-response-reader.ts';

/**
 * One keep-alive connection that carries one request at a time.
 *
 * Responsible for bytes only; whether an answer is right is for the answer object to say, by throwing.
 */
export class Connection implements Disposable {
  readonly #socket: Socket;
  #answer: ResponseSink | undefined;
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
      this.#fail(new Error('The server closed the connection before its answer ended.')),
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

  /** Sends a request and resolves when the answer has accepted the whole response. */
  exchange(request: Buffer, answer: ResponseSink): Promise<void> {
    this.#answer = answer;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  [Symbol.dispose](): void {
    this.#answer = undefined;
    this.#socket.destroy();
  }

  #expectAnswer(): ResponseSink {
    if (this.#answer === undefined) throw new Error('The server sent bytes that nobody asked for.');
    return this.#answer;
  }

  #end(status: number): void {
    const answer = this.#expectAnswer();
    this.#answer = undefined;
    answer.end(status);
    this.#resolve();
  }

  #fail(error: Error): void {
    this.#answer = undefined;
    this.#socket.destroy();
    this.#reject(error);
  }
}
