import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication, Caller, Observer } from '@holdword/runtime';
import { JSON_TYPE, ownerKey, sendAndClose, sendJson } from '@holdword/runtime/internal';
import type { HubContext, RecordRejection, RejectedCaller } from '../hub-part.ts';
import { AGENT_ID_HEADERS } from '../identity/declared-agent.ts';
import { toHubError } from '../wire/encode-error.ts';
import { RestError } from '../wire/hub-error.ts';
import type { RouteAnswer } from '../wire/hub-method.ts';
import { firstHeader } from '../wire/read-fields.ts';
import type { HubRequestContext, RecordAction } from '../wire/request-context.ts';

export type AdmitRequest = (request: IncomingMessage, response: ServerResponse) => Promise<HubRequestContext>;

/**
 * Admits requests: checks the caller's credential if one was sent, and the rate limit of the agent, of the caller or, without
 * either, of the remote address.
 */
export function createRequestAdmitter(
  authentication: Authentication,
  { identities, limits }: Pick<HubContext, 'identities' | 'limits'>,
): AdmitRequest {
  return async (request, response) => {
    const startedAt = performance.now();
    const { headers, socket } = request;
    const address = socket.remoteAddress ?? 'unknown';
    const caller = await authentication.authenticate(headers).catch((error: unknown) => {
      limits.take('requestsPerMinute', address);
      throw error;
    });
    const isCaller = caller?.authenticated === true;
    const callerKey = isCaller ? callerKeyOf(caller) : undefined;
    const isOperator = isCaller && caller.role === 'operator';
    // A store that fails here fails again in the method, which reports it with the id of the request.
    const agent = await identities.proveArriving(headers, { callerKey, isOperator }).catch(() => undefined);
    if (agent !== undefined) limits.take('agentRequestsPerMinute', `agent:${agent.agentId}`);
    else if (callerKey !== undefined) limits.take('agentRequestsPerMinute', callerKey);
    else limits.take('requestsPerMinute', address);
    return {
      headers,
      peer: socket.remoteAddress,
      callerKey,
      isOperator,
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
