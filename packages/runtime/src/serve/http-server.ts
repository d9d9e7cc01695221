import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '@holdword/net/internal';
import type { HttpHandler } from './http-handler.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';

/**
 * A listening `node:http` server whose handler comes later, because the handler serves a card that names the port.
 *
 * Responsible for the socket: how many there are, timeouts against clients that send slowly, requests that come before the
 * handler, closing.
 * Leaves the requests to the handler. Streams are not touched by the timeouts: those count until a request has arrived.
 */
export interface HttpServer {
  readonly port: number;
  setHandler(handler: HttpHandler): void;
  /** Takes no more connections, waits for answers under way, and cuts them off after the grace. */
  close(graceMilliseconds: number): Promise<void>;
}

const IDLE_MILLISECONDS = 65_000;
/** Slow clients are looked for as often as this, or more often where less time is given. */
const MOST_MILLISECONDS_BETWEEN_CHECKS = 5_000;

/** How often connections that fell idle are looked for while the server closes. */
const CLOSE_POLL_MILLISECONDS = 25;

export async function listenHttp(host: string, port: number, limits: Limits = {}): Promise<HttpServer> {
  const { connections, headSeconds, requestSeconds } = { ...DEFAULT_LIMITS, ...limits };
  const ready = Promise.withResolvers<HttpHandler>();
  const holdBack: HttpHandler = (request, response) => {
    void ready.promise.then((handler) => handler(request, response));
  };
  const server = createServer(
    {
      headersTimeout: headSeconds * 1000,
      requestTimeout: requestSeconds * 1000,
      keepAliveTimeout: IDLE_MILLISECONDS,
      connectionsCheckingInterval: Math.min(headSeconds * 250, MOST_MILLISECONDS_BETWEEN_CHECKS),
    },
    holdBack,
  );
  server.maxConnections = connections;
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
