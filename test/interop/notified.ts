import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const WAIT_MILLISECONDS = 20_000;
const ENDED = /"(?:TASK_STATE_COMPLETED|completed)"/;

/**
 * A receiver of push notifications that client programs can ask, over plain HTTP: `GET` of the address that was notified
 * answers when a notification has said that the task is completed, with the token it came with.
 */
export interface Notified {
  readonly origin: string;
  close(): Promise<void>;
}

interface Completed {
  readonly token: unknown;
}

export async function startNotified(): Promise<Notified> {
  const completed = new Map<string, PromiseWithResolvers<Completed>>();
  const of = (path: string): PromiseWithResolvers<Completed> => {
    const found = completed.get(path) ?? Promise.withResolvers<Completed>();
    completed.set(path, found);
    return found;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method, headers } = request;
    if (method === 'POST') {
      const text = JSON.stringify(await json(request));
      if (ENDED.test(text)) of(url).resolve({ token: headers['x-a2a-notification-token'] });
      response.writeHead(204).end();
      return;
    }
    const timer = setTimeout(() => of(url).reject(new Error('late')), WAIT_MILLISECONDS);
    try {
      response.end(JSON.stringify(await of(url).promise));
    } catch {
      response.writeHead(504).end('no notification of the completed task has arrived');
    }
    clearTimeout(timer);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
