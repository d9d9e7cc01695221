import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication } from '@holdword/runtime';
import { RateLimiter } from '@holdword/runtime/internal';
import { HubError } from '../errors/hub-error.ts';
import type { HubRequestContext } from '../hub-part.ts';

export type AdmitRequest = (request: IncomingMessage, response: ServerResponse) => Promise<HubRequestContext>;

/** Lets requests in: so many a minute of one address, and with the operator's credential checked where there is one. */
export function createRequestAdmitter(
  authentication: Authentication,
  requestsPerMinute: number,
): AdmitRequest {
  const rate = requestsPerMinute === 0 ? undefined : new RateLimiter(requestsPerMinute);
  return async (request, response) => {
    const startedAt = performance.now();
    const allowance = rate?.take(request.socket.remoteAddress ?? 'unknown');
    if (allowance?.allowed === false) throw tooMany(requestsPerMinute, allowance.resetSeconds);
    const operator = await authentication.authenticate(request.headers);
    return new HttpRequestContext(request, response, operator?.authenticated === true, startedAt);
  };
}

function tooMany(perMinute: number, resetSeconds: number): HubError {
  const seconds = Math.max(1, Math.ceil(resetSeconds));
  const message = `Expected at most ${perMinute} calls a minute from one address, found more.`;
  return new HubError('DELX-A2A-1099', message, {
    hint: `Try again in ${seconds} s.`,
    httpStatus: 429,
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Its signal is made on first use: most calls never need one. */
class HttpRequestContext implements HubRequestContext {
  readonly headers;
  readonly peer: string | undefined;
  readonly isOperator: boolean;
  readonly startedAt: number;
  readonly #response: ServerResponse;
  #left: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, isOperator: boolean, startedAt: number) {
    this.headers = request.headers;
    this.peer = request.socket.remoteAddress;
    this.isOperator = isOperator;
    this.startedAt = startedAt;
    this.#response = response;
  }

  get signal(): AbortSignal {
    if (this.#left === undefined) {
      const left = new AbortController();
      this.#left = left;
      this.#response.once('close', () => {
        if (!this.#response.writableFinished) left.abort();
      });
    }
    return this.#left.signal;
  }
}
