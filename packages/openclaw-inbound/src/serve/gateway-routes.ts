import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler, Log } from '@holdword/runtime';
import { JSON_TYPE, sendJson } from '@holdword/runtime/internal';
import type { AccountConfig } from '../config/account-config.ts';
import { accountRoutes } from '../config/account-routes.ts';
import type { Host } from '../host/host.ts';

/** What a caller is told about a route of the gateway that cannot answer. */
type RouteErrorCode = 'A2A_ACCOUNT_NOT_RUNNING' | 'A2A_ROUTE_NOT_FOUND' | 'A2A_INBOUND_ROUTE_ERROR';

const RETRY_AFTER_SECONDS = 5;

/**
 * The routes of an account on the gateway.
 *
 * Responsible for taking them all or none, and for an answer at every moment between: while the account is not running,
 * callers are told so. Leaves what is said at a path to the handler.
 */
export class GatewayRoutes {
  readonly #config: AccountConfig;
  readonly #log: Log;
  readonly #unregister: (() => void)[] = [];
  #handler: HttpHandler | undefined;

  /** Throws what the host says when another plugin has one of the paths. */
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

  /** From now on `handler` answers; without one callers are told that the account is not running. */
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
      this.#log.error('A request could not be answered.', { error: String(error) });
      sendRouteError(response, 500, 'A2A_INBOUND_ROUTE_ERROR', 'The gateway could not answer this request.');
    }
  }
}

export function sendRouteNotFound(response: ServerResponse, cardPath: string): void {
  const message = `There is nothing at this path. The agent card at ${cardPath} names the addresses.`;
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
