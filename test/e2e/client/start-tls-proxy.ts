import { connect, type AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certificate } from './make-certificate.ts';

export interface TlsProxy {
  readonly port: number;
  /** The server name (SNI) that each client sent. */
  readonly serverNames: string[];
  /** Number of bytes received from clients. */
  receivedBytes(): number;
}

/** Terminates TLS for HTTP and gRPC, and forwards connections to a port. Closed when the test ends. */
export async function startTlsProxy(port: number, { key, cert }: Certificate): Promise<TlsProxy> {
  const open = new Set<TLSSocket>();
  const serverNames: string[] = [];
  let received = 0;
  const proxy = createServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'] }, (client) => {
    serverNames.push(String(client.servername));
    open.add(client);
    const server = connect(port, '127.0.0.1');
    client.on('data', (chunk: Buffer) => (received += chunk.length));
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    client.on('close', () => {
      open.delete(client);
      server.destroy();
    });
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    serverNames,
    receivedBytes: () => received,
  };
}
