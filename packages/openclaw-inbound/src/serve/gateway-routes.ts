import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler, Log } from '@holdword/runtime';
import { JSON_TYPE, sendJson } from '@holdword/runtime/internal';
import type { AccountConfig } from '../config/account-config.ts';
import { accountRoutes } from '../config/account-routes.ts';
import type { Host } from '../host/host.ts';

/** Error codes for routes that cannot be served. */
type RouteErrorCode = 'A2A_ACCOUNT_NOT_RUNNING' | 'A2A_ROUTE_NOT_FOUND' | 'A2A_INBOUND_ROUTE_ERROR';

const RETRY_AFTER_SECONDS = 5;

/**
 * The routes of an account on the gateway.
 *
 * Responsible for registering all of them or none, and for a 503 response while the account is not running. Leaves the
 * responses to the handler.
 */
export class GatewayRoutes {
  readonly #config: AccountConfig;
  readonly #log: Log;
  readonly #unregister: (() => void)[] = [];
  #handler: HttpHandler | undefined;

  /** Throws the host's error if another plugin owns one of the paths. */
  constructor(config: AccountConfig, host: Pick<Host, 'registerRoute'>, log: Log) {
    this.#config = config;
    this.#log = log;
    try {
      for (const route of accountRoutes(config)) {
        this.#unregister.push(
          host.registerRoute({ ...route, handle: (request, response) => this.#answer(request, response) }),
        );
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Sets the handler; without one, callers get a 503. */
  answerWith(handler: HttpHandler | undefined): void {
    this.#handler = handler;
  }

  close(): void {
    this.#handler = undefined;
    for (const unregister of this.#unregister.splice(0)) unregister();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#handler === undefined) {
      sendRouteError(
        response,
        503,
        'A2A_ACCOUNT_NOT_RUNNING',
        `The A2A account "${this.#config.accountId}" of this gateway is not running. Try again later.`,
      );
      return;
    }
    try {
      this.#handler(request, response);
    } catch (error) {
      this.#log.error('Internal error while handling a request.', { error: String(error) });
      sendRouteError(response, 500, 'A2A_INBOUND_ROUTE_ERROR', 'Internal error while handling this request.');
    }
  }
}

export function sendRouteNotFound(response: ServerResponse, cardPath: string): void {
  const message = `Not found. The agent card at ${cardPath} lists the endpoints.`;
  sendRouteError(response, 404, 'A2A_ROUTE_NOT_FOUND', message);
}

function sendRouteError(
  response: ServerResponse,
  status: number,
  code: RouteErrorCode,
  message: string,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers = status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
  sendJson(response, status, JSON_TYPE, JSON.stringify({ error: { code, message } }), headers);
}
