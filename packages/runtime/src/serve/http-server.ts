import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '@holdword/net/internal';
import { Timer } from '@holdword/protocol/internal';
import { DEFAULT_LIMITS } from '../defaults.ts';
import type { HttpHandler } from './http-handler.ts';
import type { Limits } from './limits.ts';

/**
 * A listening `node:http` server whose handler is set later, because the handler serves a card that names the port.
 *
 * Responsible for the sockets: their number, timeouts against slow clients, requests that arrive before the handler is
 * set, and closing. Leaves the requests to the handler. The timeouts end when a request has arrived, so they do not
 * affect streams.
 */
export interface HttpServer {
  readonly port: number;
  setHandler(handler: HttpHandler): void;
  /** Accepts no more connections, waits for responses in progress, and closes them after the grace period. */
  close(graceMilliseconds: number): Promise<void>;
}

/** How long a connection may wait for its next request, on all bindings. */
export const IDLE_MILLISECONDS = 65_000;
/** How often slow clients are looked for, at most. Less if their timeout is shorter. */
const MOST_MILLISECONDS_BETWEEN_CHECKS = 5_000;

/** How often idle connections are closed while the server closes. */
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
    // Also later, when it has no effect: a connection that could not be accepted must not stop the server.
    server.on('error', (error) => reject(listenError(error, host, port)));
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
      const cutOff = new Timer(graceMilliseconds, () => server.closeAllConnections());
      await new Promise((resolve) => server.close(resolve));
      clearInterval(poll);
      cutOff[Symbol.dispose]();
    },
  };
}
