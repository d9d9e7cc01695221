import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CuttingProxyOptions {
  /** The target port. */
  port: number;
  /** Bytes of responses that the next connection lets through before it is cut; undefined for no limit. */
  nextCut?: () => number | undefined;
}

export interface CuttingProxy {
  readonly port: number;
  /** Number of connections it has cut. */
  cuts(): number;
  /** Cuts every open connection. */
  cutAll(): void;
}

/** Starts a TCP proxy whose connections break midway. Closed when the test ends. */
export async function startCuttingProxy({ port, nextCut }: CuttingProxyOptions): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let cuts = 0;

  const serve = (client: Socket): void => {
    let left = nextCut?.();
    const server = connect(port, '127.0.0.1');
    const cut = (): void => {
      client.resetAndDestroy();
      server.destroy();
    };
    open.add(client);
    client.on('close', () => {
      open.delete(client);
      server.destroy();
    });
    server.on('close', () => client.end());
    client.on('error', cut);
    server.on('error', cut);
    client.pipe(server);
    server.on('data', (chunk) => {
      if (left === undefined) {
        client.write(chunk);
        return;
      }
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) {
        cuts += 1;
        // What was let through must arrive, and a reset could discard it.
        client.end(() => cut());
      }
    });
  };

  const proxy = createServer(serve);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cutAll = (): void => {
    for (const socket of open) {
      cuts += 1;
      socket.destroy();
    }
  };
  onTestFinished(async () => {
    cutAll();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { port: (proxy.address() as AddressInfo).port, cuts: () => cuts, cutAll };
}
