import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { READERS } from '@holdword/client/internal';
import { isLoopback, listenError } from '@holdword/net/internal';
import { asObject, v03EventToCore } from '@holdword/protocol/internal';
import { CommandError } from '../usage-error.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** So many notifications are remembered, to recognize one that is delivered again. */
const REMEMBERED = 1_000;

export interface NotificationServerOptions {
  readonly host: string;
  readonly port: number;
  /** What a notification has to bring along. */
  readonly token?: string | undefined;
  readonly authorization?: string | undefined;
  /** Called once for every notification, with the JSON of A2A 1.0. */
  readonly onEvent: (event: unknown) => void;
  /** Called with why one was refused. */
  readonly onRefused: (reason: string) => void;
}

/** Receives push notifications. One that is repeated is acknowledged and left out; one that nobody may send is refused. */
export async function startNotificationServer(
  options: NotificationServerOptions,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { host, port, onEvent, onRefused } = options;
  if (!isLoopback(host) && options.token === undefined && options.authorization === undefined) {
    throw new CommandError(
      `Anybody who reaches ${host} could send notifications. Add --token, or listen on 127.0.0.1.`,
    );
  }
  const seen = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { event, digest } = await receive(request, options);
      if (!seen.has(digest)) onEvent(event);
      seen.add(digest);
      const [oldest] = seen;
      if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
      response.writeHead(204).end();
    } catch (error) {
      const { status, message } = error instanceof Refusal ? error : new Refusal(400, String(error));
      onRefused(message);
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${message}\n`);
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(listenError(error, host, port).message)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const used = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${used}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function receive(
  request: IncomingMessage,
  { token, authorization }: NotificationServerOptions,
): Promise<{ event: unknown; digest: string }> {
  if (request.method !== 'POST') throw new Refusal(405, 'Notifications are sent with POST.');
  const { 'x-a2a-notification-token': sentToken, authorization: sent } = request.headers;
  if (token !== undefined && !isSame(sentToken, token)) throw new Refusal(401, 'The token is wrong.');
  if (authorization !== undefined && !isSame(sent, authorization)) {
    throw new Refusal(401, 'The authorization is wrong.');
  }
  const body = await bodyOf(request);
  const hash = createHash('sha256')
    .update(body)
    .update(String(request.headers['holdword-delivery-id'] ?? ''));
  return { event: readEvent(body), digest: hash.digest('base64') };
}

function isSame(given: string | string[] | undefined, expected: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Refusal(413, `The notification exceeds ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** An event of 1.0, or of 0.3, which has none of its names. */
function readEvent(body: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new Refusal(400, 'The notification is not JSON.');
  }
  const isCurrent = ['task', 'message', 'statusUpdate', 'artifactUpdate'].some(
    (name) => name in asObject(json),
  );
  try {
    const event = isCurrent ? json : v03EventToCore(json);
    READERS.events(event);
    return event;
  } catch {
    throw new Refusal(400, 'The notification is not an event of A2A.');
  }
}
