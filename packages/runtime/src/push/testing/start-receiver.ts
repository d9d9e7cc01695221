import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedNotification {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface TestReceiver {
  readonly url: string;
  readonly origin: string;
  /** Every request, whatever the response. */
  readonly received: ReceivedNotification[];
  /** The sequence numbers in the delivery ids of those answered with 2xx. */
  readonly accepted: number[];
}

export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
}

/** A real receiver whose responses a test decides, closed when the test ends. */
export async function startReceiver(
  answer: (notification: ReceivedNotification) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({
    status: 204,
  }),
): Promise<TestReceiver> {
  const received: ReceivedNotification[] = [];
  const accepted: number[] = [];
  async function respond(notification: ReceivedNotification, response: ServerResponse): Promise<void> {
    const { status, headers = {} } = await answer(notification);
    if (status < 300) accepted.push(sequenceOf(notification));
    response.writeHead(status, headers).end();
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const notification = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(notification);
      void respond(notification, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/hook`, origin, received, accepted };
}

export function sequenceOf({ headers }: ReceivedNotification): number {
  return Number(String(headers['holdword-delivery-id']).split('/').at(-1));
}
