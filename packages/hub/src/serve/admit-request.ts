import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication } from '@holdword/runtime';
import { RateLimiter } from '@holdword/runtime/internal';
import { HubError } from '../wire/hub-error.ts';
import type { HubRequestContext } from '../wire/request-context.ts';

export type AdmitRequest = (request: IncomingMessage, response: ServerResponse) => Promise<HubRequestContext>;

/** Admits requests: enforces the rate limit per remote address and checks the operator's credential if one was sent. */
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
  const message = `Rate limit exceeded (${perMinute} requests per minute from one address).`;
  return new HubError('DELX-A2A-1099', message, {
    hint: `Try again in ${seconds} s.`,
    httpStatus: 429,
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The signal is created on first use: most requests never need one. */
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
