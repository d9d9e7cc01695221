import { connect, type Socket } from 'node:net';

/**
 * A subscription over a plain socket, so that thousands of them fit into one process. It records how late each tick arrives
 * and whether the stream was complete.
 */
export class BareSubscriber {
  readonly opened: Promise<void>;
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  #rest = '';

  constructor(address: string, taskId: string, onTick: (delayMilliseconds: number) => void) {
    const { hostname, port } = new URL(address);
    const opened = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.ended = ended.promise;
    this.#socket = connect(Number(port), hostname, () => {
      this.#socket.write(
        `GET /a2a/rest/tasks/${taskId}:subscribe HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n\r\n`,
      );
    });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => {
      opened.resolve();
      this.#rest += text;
      for (const [, time] of this.#rest.matchAll(/now=(\d+);/g)) onTick(Date.now() - Number(time));
      if (this.#rest.includes('"TASK_STATE_COMPLETED"')) {
        ended.resolve();
        this.close();
      }
      // A tick may be split between two packets.
      this.#rest = this.#rest.slice(this.#rest.lastIndexOf(';') + 1);
    });
    const lost = (): void => {
      const error = new Error('The subscription was closed before its task had ended.');
      opened.reject(error);
      ended.reject(error);
    };
    this.#socket.on('error', lost);
    this.#socket.on('close', lost);
    // Those who await it see the failure.
    this.opened.catch(() => {});
    this.ended.catch(() => {});
  }

  close(): void {
    this.#socket.destroy();
  }
}
