import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication, Caller, Observer } from '@holdword/runtime';
import { JSON_TYPE, ownerKey, RateLimiter, sendAndClose, sendJson } from '@holdword/runtime/internal';
import type { RecordRejection, RejectedCaller } from '../hub-part.ts';
import { AGENT_ID_HEADERS } from '../identity/declared-agent.ts';
import { toHubError } from '../wire/encode-error.ts';
import { HubError, RestError } from '../wire/hub-error.ts';
import type { RouteAnswer } from '../wire/hub-method.ts';
import { firstHeader } from '../wire/read-fields.ts';
import type { HubRequestContext, RecordAction } from '../wire/request-context.ts';

export type AdmitRequest = (request: IncomingMessage, response: ServerResponse) => Promise<HubRequestContext>;

/** Admits requests: enforces the rate limit per remote address and checks the caller's credential if one was sent. */
export function createRequestAdmitter(
  authentication: Authentication,
  requestsPerMinute: number,
): AdmitRequest {
  const rate = requestsPerMinute === 0 ? undefined : new RateLimiter(requestsPerMinute);
  return async (request, response) => {
    const startedAt = performance.now();
    const allowance = rate?.take(request.socket.remoteAddress ?? 'unknown');
    if (allowance?.allowed === false) throw tooMany(requestsPerMinute, allowance.resetSeconds);
    const caller = await authentication.authenticate(request.headers);
    return {
      headers: request.headers,
      peer: request.socket.remoteAddress,
      callerKey: caller?.authenticated === true ? callerKeyOf(caller) : undefined,
      isOperator: caller?.authenticated === true && caller.role === 'operator',
      startedAt,
      signal: signalOf(response),
    };
  };
}

function callerKeyOf({ id, tenant = '' }: Caller): string {
  return ownerKey({ tenant, caller: id, authenticated: true });
}

function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
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

export function rejectedCaller({ headers, socket }: IncomingMessage): RejectedCaller {
  return { headers, peer: socket.remoteAddress };
}

/** The declared agent id goes into the audit log, so its length is limited. */
const MAX_NAME_LENGTH = 128;

export function createRejectionRecorder(observer: Observer): RecordRejection {
  return ({ headers, peer, callerKey }, operation, error) =>
    observer.fallbackRejected?.({
      operation,
      named: firstHeader(headers, AGENT_ID_HEADERS)?.slice(0, MAX_NAME_LENGTH),
      ownerKey: callerKey,
      peer,
      code: error instanceof RestError ? error.code : toHubError(error).code,
    });
}

export function createActionRecorder(observer: Observer): RecordAction {
  return ({ callerKey, peer }, event, agent, about = {}) =>
    observer.fallbackActed?.({ event, ownerKey: callerKey, agent, peer, about });
}

const NOT_MODIFIED = 304;
const TOO_LARGE = 413;

/** Answers with JSON. If the request body was too large, the rest of it is still arriving, so the connection is closed. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: RouteAnswer,
): void {
  const json = JSON.stringify(body);
  if (response.headersSent) response.destroy();
  else if (status === NOT_MODIFIED) response.writeHead(status, headers).end();
  else if (status === TOO_LARGE) sendAndClose(request, response, status, JSON_TYPE, json);
  else sendJson(response, status, JSON_TYPE, json, headers);
}
