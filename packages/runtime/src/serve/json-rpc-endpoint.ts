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
import { requireCaller } from './auth/require-caller.ts';
import type { Edge } from './edge.ts';
import { writeEventStream } from './event-stream.ts';
import { HttpCall } from './http-call.ts';
import { jsonRpcFraming } from './json-rpc-framing.ts';
import { answerLegacyJsonRpc } from './legacy/json-rpc-endpoint.ts';
import { ownerOf } from './owner-of.ts';
import { perform } from './perform.ts';
import { readBody } from './read-body.ts';
import { requestedVersion } from './requested-version.ts';
import { requireJson } from './require-json.ts';
import { echoExtensions, JSON_TYPE, sendError, sendJson, type ErrorAnswer } from './respond.ts';
import { readServiceParameters } from './service-parameters.ts';

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
  try {
    const caller = await requireCaller(edge.authentication, request.headers);
    requireJson(request);
    body = await readBody(request, edge.bodyBytes);
    if (requestedVersion(request.headers, query) === '0.3') {
      const envelope = readEnvelope(body);
      if ('error' in envelope) throw envelope.error;
      await answerLegacyJsonRpc(edge, caller, envelope, request, response);
      return;
    }
    const decoded = decodeJsonRpcCall(body);
    id = decoded.id;
    if ('error' in decoded) throw decoded.error;
    const owner = ownerOf(caller, decoded.call.request.tenant);
    const call = new HttpCall(owner, readServiceParameters(request.headers), response);
    echoExtensions(response, call.extensions);
    const answer = await perform(edge, decoded.call, call);
    if ('stream' in answer) await writeEventStream(edge, answer.stream, jsonRpcFraming(id), call, response);
    else sendJson(response, 200, JSON_TYPE, jsonRpcResult(id, JSON.stringify(answer.value)));
  } catch (error) {
    sendError(edge, request, response, error, encodeError(id ?? readEnvelope(body).id, error));
  }
}

function encodeError(id: JsonRpcId, error: unknown): ErrorAnswer {
  const { code } = toPublicError(error);
  const status = CODES_WITH_HTTP_STATUS.has(code) ? ERROR_TABLE[code].http : 200;
  return { status, contentType: JSON_TYPE, json: jsonRpcFailure(id, error) };
}
