import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a store and its server that simulates network failures. */
export interface CuttingProxy {
  /** The server's URL, through the proxy. */
  readonly url: string;
  /** From now on requests arrive and responses are dropped. */
  swallowResponses(): void;
  /** Resolves when a response has been dropped. */
  swallowed(): Promise<void>;
  /** Closes all connections and rejects new ones. */
  cut(): void;
  /** Lets connections through again. */
  mend(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSwallowing = false;
  let swallowed = Promise.withResolvers<void>();

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const near = track(socket);
    const far = track(connect(Number(target.port), target.hostname));
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (isSwallowing) swallowed.resolve();
      else near.write(data);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The proxy is not listening on a port.');
  const url = new URL(serverUrl);
  url.port = String(address.port);

  function destroyAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    url: url.href,
    swallowResponses() {
      isSwallowing = true;
      swallowed = Promise.withResolvers();
    },
    swallowed: () => swallowed.promise,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
      isSwallowing = false;
    },
    async close() {
      server.close();
      destroyAll();
      await once(server, 'close');
    },
  };
}
