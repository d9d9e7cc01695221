import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpHandler } from './http-handler.ts';
import { listenError } from './listen-error.ts';

/**
 * A listening `node:http` server whose handler comes later, because the handler serves a card that names the port.
 *
 * Responsible for the socket: timeouts against clients that send slowly, requests that come before the handler, closing.
 * Leaves the requests to the handler. Streams are not touched by the timeouts: those count until a request has arrived.
 */
export interface HttpServer {
  readonly port: number;
  setHandler(handler: HttpHandler): void;
  /** Takes no more connections, waits for answers under way, and cuts them off after the grace. */
  close(graceMilliseconds: number): Promise<void>;
}

const TIMEOUTS = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

/** How often connections that fell idle are looked for while the server closes. */
const CLOSE_POLL_MILLISECONDS = 25;

export async function listenHttp(host: string, port: number): Promise<HttpServer> {
  const ready = Promise.withResolvers<HttpHandler>();
  const holdBack: HttpHandler = (request, response) => {
    void ready.promise.then((handler) => handler(request, response));
  };
  const server = createServer(TIMEOUTS, holdBack);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    setHandler(handler) {
      ready.resolve(handler);
      server.off('request', holdBack).on('request', handler);
    },
    async close(graceMilliseconds) {
      const poll = setInterval(() => server.closeIdleConnections(), CLOSE_POLL_MILLISECONDS);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(poll);
      clearTimeout(cutOff);
    },
  };
}
