import { once } from 'node:events';
import type { Server } from 'node:http';

/** Listens on a free loopback port and prints the URL of the peer for the bench. */
export async function listenAndAnnounce(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a TCP port.');
  console.log(`http://127.0.0.1:${address.port}/a2a/jsonrpc`);
}
