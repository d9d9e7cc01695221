import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Notification {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of push notifications on a free port. */
export interface Webhook {
  readonly origin: string;
  /** Returns a URL that is not used elsewhere. */
  url(name: string): string;
  /** The requests to that URL, in order. */
  notifications(name: string): readonly Notification[];
  close(): Promise<void>;
}

/** Starts a receiver that responds to every request with 204. */
export async function startWebhook(): Promise<Webhook> {
  const all: Notification[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      all.push({ path: url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (name) => `${origin}/${name}`,
    notifications: (name) => all.filter(({ path }) => path === `/${name}`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
