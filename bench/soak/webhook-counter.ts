import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of push notifications that keeps their number only, because a long run sends many. */
export async function startWebhook(): Promise<{ url: string; close(): Promise<number> }> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      return count;
    },
  };
}
