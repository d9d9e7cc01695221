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
} from '@parley/protocol';
import { WatchedCall } from '../observe/watched-call.ts';
import { admitRequest } from './admit-request.ts';
import { callOperation } from './call-operation.ts';
import type { Edge } from './edge.ts';
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

export async function answerJsonRpc(
  edge: Edge,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  let body = '';
  let id: JsonRpcId = null;
  const watched = new WatchedCall(edge.observer, 'JSONRPC', request.socket);
  try {
    const caller = await admitRequest(edge, watched, request, response);
    const admitted = { caller, watched, request, response };
    requireJson(request);
    body = await readBody(request, edge.bodyBytes);
    watched.version = requestedVersion(request.headers, query);
    if (watched.version === '0.3') {
      const envelope = readEnvelope(body);
      if ('error' in envelope) throw envelope.error;
      await answerLegacyJsonRpc(edge, admitted, envelope);
      watched.end();
      return;
    }
    const decoded = decodeJsonRpcCall(body);
    id = decoded.id;
    if ('error' in decoded) throw decoded.error;
    const { tenant } = decoded.call.request;
    const { answer, call } = await callOperation(edge, admitted, decoded.call, tenant);
    if ('stream' in answer) await writeEventStream(edge, answer.stream, jsonRpcFraming(id), call, response);
    else sendJson(response, 200, JSON_TYPE, jsonRpcResult(id, JSON.stringify(answer.value)));
    watched.end();
  } catch (error) {
    watched.end(error);
    sendError(edge, request, response, error, encodeError(id ?? readEnvelope(body).id, error));
  }
}

function encodeError(id: JsonRpcId, error: unknown): ErrorAnswer {
  const { code } = toPublicError(error);
  const status = CODES_WITH_HTTP_STATUS.has(code) ? ERROR_TABLE[code].http : 200;
  return { status, contentType: JSON_TYPE, json: jsonRpcFailure(id, error) };
}
