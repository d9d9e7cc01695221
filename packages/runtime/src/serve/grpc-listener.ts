import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { listenError } from '@holdword/net/internal';
import { Timer } from '@holdword/protocol/internal';

/** The remote end of a connection. No two connections to one port have the same. */
export interface RemoteEnd {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

export interface GrpcListenerOptions {
  host: string;
  port: number;
  /** Concurrent connections. */
  connections: number;
  /** How long a connection may take to send the headers of its first request. */
  headSeconds: number;
  /** Takes over each connection. */
  accept: (socket: Socket) => void;
}

/**
 * The connections of the gRPC server. The library would accept any number of them and keep those that send nothing.
 *
 * Responsible for the sockets: their number, closing those whose first request does not arrive in time, and closing all.
 * Leaves what arrives on them, and connections that were used and are idle, to the library.
 */
export class GrpcListener {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** Connections without a request so far, by their remote end. */
  readonly #silent = new Map<string, Timer>();

  constructor({ connections, headSeconds, accept }: GrpcListenerOptions) {
    this.#server = createServer((socket) => {
      this.#watch(socket, headSeconds);
      accept(socket);
    });
    this.#server.maxConnections = connections;
  }

  static async listen(options: GrpcListenerOptions): Promise<GrpcListener> {
    const { host, port } = options;
    const listener = new GrpcListener(options);
    await new Promise<void>((resolve, reject) => {
      // Also later, when it has no effect: a connection that could not be accepted must not stop the server.
      listener.#server.on('error', (error) => reject(listenError(error, host, port, 'gRPC, --grpc-port')));
      listener.#server.listen(port, host, resolve);
    });
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The connection with this remote end has sent a request. */
  requestArrived(remote: RemoteEnd): void {
    if (this.#silent.size > 0) this.#forget(keyOf(remote));
  }

  /** Accepts no more connections. Resolves when all are closed. */
  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  closeConnections(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #watch(socket: Socket, headSeconds: number): void {
    const key = keyOf(socket);
    this.#open.add(socket);
    this.#silent.set(key, new Timer(headSeconds * 1000, () => socket.destroy()));
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#forget(key);
    });
  }

  #forget(key: string): void {
    this.#silent.get(key)?.[Symbol.dispose]();
    this.#silent.delete(key);
  }
}

function keyOf({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`;
}
