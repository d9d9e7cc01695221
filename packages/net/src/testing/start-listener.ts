import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Listener {
  readonly port: number;
  /** The number of connections so far. */
  connections(): number;
}

/** An HTTP server on all addresses of this machine, closed when the test ends. */
export async function startListener(
  handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end(),
): Promise<Listener> {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    handle(request, response);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
