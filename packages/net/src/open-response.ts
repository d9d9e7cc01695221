import type { IncomingMessage, request as requestHttp } from 'node:http';
import type { RequestOptions } from 'node:https';
import { toConnectionError } from './connection-error.ts';

/** A response whose body still arrives. */
export interface OpenedResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The IP address that has answered. */
  address: string | undefined;
  /** Rejects with ConnectionError if the connection is lost before the end. Leaving the loop closes the connection. */
  body: AsyncIterable<Buffer>;
  /** Closes the connection; reading the body then rejects with the reason. */
  close(reason?: Error): void;
}

interface RequestContent {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** Sends a request and resolves when the headers of the response have arrived. Rejects with ConnectionError. */
export function openResponse(
  open: typeof requestHttp,
  connection: RequestOptions,
  content: RequestContent,
): Promise<OpenedResponse> {
  const { method, body } = content;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const options = { ...connection, method, headers: { ...content.headers, ...length } };
  return new Promise((resolve, reject) => {
    let connected = false;
    const ready = (): void => {
      connected = true;
    };
    const outgoing = open(options, (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        address: incoming.socket.remoteAddress,
        body: readChunks(incoming),
        close: (reason) => incoming.destroy(reason),
      });
    });
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) ready();
      else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', ready);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection while the request was being sent; only repeatable requests use those.
      const stale =
        outgoing.reusedSocket && error.code === 'ECONNRESET' && connection.signal?.aborted !== true;
      if (stale) resolve(openResponse(open, { ...connection, agent: false }, content));
      else reject(toConnectionError(error, connected));
    });
    outgoing.end(body);
  });
}

async function* readChunks(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw toConnectionError(error, true);
  } finally {
    incoming.destroy();
  }
}

/** The text of a body, truncated after `maxBytes`. The rest is not read: leaving the loop closes the connection. */
export async function readAtMost(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks).toString();
}
