import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  decodeJsonRpcCall,
  ERROR_TABLE,
  jsonRpcFailure,
  jsonRpcResult,
  readEnvelope,
  toPublicError,
  type A2AErrorCode,
  type JsonRpcId,
  type ProtocolVersion,
} from '@holdword/protocol';
import { WatchedCall } from '../observe/watched-call.ts';
import { admitRequest } from './admit-request.ts';
import { callOperation, type Admitted } from './call-operation.ts';
import { createEdge, type Edge, type EdgeOptions } from './edge.ts';
import { writeEventStream } from './event-stream.ts';
import { jsonRpcFraming } from './json-rpc-framing.ts';
import { answerLegacyJsonRpc } from './legacy/json-rpc-endpoint.ts';
import { readBody } from './read-body.ts';
import { requestedVersion } from './requested-version.ts';
import { requireJson } from './require-json.ts';
import { JSON_TYPE, sendError, sendJson, type ErrorAnswer } from './respond.ts';

/** JSON-RPC answers errors with HTTP 200, except those that HTTP clients and proxies act on. */
const CODES_WITH_HTTP_STATUS: ReadonlySet<A2AErrorCode> = new Set([
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'REQUEST_TOO_LARGE',
  'RESOURCE_EXHAUSTED',
  'UNAVAILABLE',
]);

export interface JsonRpcOptions {
  /** Requests that name no version are of 1.0, by whatever version's name they call a method. */
  readonly unversionedIsCurrent?: boolean;
  /** Makes a request of 1.0 of what clients send that take it less exactly. */
  readonly rewrite?: ((body: string) => string) | undefined;
}

export async function answerJsonRpc(
  edge: Edge,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  options: JsonRpcOptions = {},
): Promise<void> {
  let body = '';
  const watched = new WatchedCall(edge.observer, 'JSONRPC', request.socket);
  try {
    const caller = await admitRequest(edge, watched, request, response);
    requireJson(request);
    body = await readBody(request, edge.bodyBytes);
    watched.version = requestedVersion(request.headers, query, options.unversionedIsCurrent ? '1.0' : '0.3');
    if (watched.version === '1.0') body = options.rewrite?.(body) ?? body;
    await answerCall(edge, { caller, watched, request, response }, body, options);
  } catch (error) {
    refuse(edge, { watched, request, response }, body, error);
  }
}

/** A request that another edge has let in and read. */
export interface ReadRequest extends Pick<Admitted, 'caller' | 'request' | 'response'> {
  readonly body: string;
  readonly version: ProtocolVersion;
}

/** Answers a call of A2A for an edge that serves more than A2A at its path. */
export type JsonRpcResponder = (read: ReadRequest) => Promise<void>;

export function createJsonRpcResponder(options: EdgeOptions): JsonRpcResponder {
  const edge = createEdge(options);
  return async ({ caller, request, response, body, version }) => {
    const watched = new WatchedCall(edge.observer, 'JSONRPC', request.socket);
    watched.caller = caller.id;
    watched.version = version;
    try {
      await answerCall(edge, { caller, watched, request, response }, body);
    } catch (error) {
      refuse(edge, { watched, request, response }, body, error);
    }
  };
}

async function answerCall(
  edge: Edge,
  admitted: Admitted,
  body: string,
  options: JsonRpcOptions = {},
): Promise<void> {
  const { watched, response } = admitted;
  if (watched.version === '0.3') {
    const envelope = readEnvelope(body);
    if ('error' in envelope) throw envelope.error;
    await answerLegacyJsonRpc(edge, admitted, envelope);
  } else {
    const decoded = decodeJsonRpcCall(body, { legacyNames: options.unversionedIsCurrent === true });
    if ('error' in decoded) throw decoded.error;
    const { tenant } = decoded.call.request;
    const { answer, call } = await callOperation(edge, admitted, decoded.call, tenant);
    if ('stream' in answer)
      await writeEventStream(edge, answer.stream, jsonRpcFraming(decoded.id), call, response);
    else sendJson(response, 200, JSON_TYPE, jsonRpcResult(decoded.id, JSON.stringify(answer.value)));
  }
  watched.end();
}

function refuse(
  edge: Edge,
  { watched, request, response }: Omit<Admitted, 'caller'>,
  body: string,
  error: unknown,
): void {
  watched.end(error);
  sendError(edge, request, response, error, encodeError(readEnvelope(body).id, error));
}

function encodeError(id: JsonRpcId, error: unknown): ErrorAnswer {
  const { code } = toPublicError(error);
  const status = CODES_WITH_HTTP_STATUS.has(code) ? ERROR_TABLE[code].http : 200;
  return { status, contentType: JSON_TYPE, json: jsonRpcFailure(id, error) };
}
