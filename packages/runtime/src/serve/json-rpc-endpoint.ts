import type { IncomingMessage, ServerResponse } from 'node:http';
import type { A2AErrorCode, ProtocolVersion } from '@holdword/protocol';
import {
  decodeJsonRpcRequest,
  ERROR_TABLE,
  jsonRpcFailure,
  jsonRpcResult,
  readEnvelope,
  toPublicError,
  type JsonRpcId,
} from '@holdword/protocol/internal';
import { RequestObservation } from '../observe/request-observation.ts';
import { admitRequest } from './admit-request.ts';
import { dispatchRequest, type AdmittedRequest } from './dispatch-request.ts';
import { createHandlerContext, type HandlerContext, type HandlerContextOptions } from './handler-context.ts';
import { writeEventStream } from './event-stream.ts';
import { jsonRpcFraming } from './json-rpc-framing.ts';
import { handleLegacyJsonRpc } from './legacy/json-rpc-endpoint.ts';
import { readBody } from './read-body.ts';
import { requestedVersion } from './requested-version.ts';
import { requireJson } from './require-json.ts';
import { JSON_TYPE, sendError, sendJson, type ErrorResponse } from './respond.ts';

/** JSON-RPC sends errors with HTTP 200, except those that HTTP clients and proxies act on. */
const CODES_WITH_HTTP_STATUS: ReadonlySet<A2AErrorCode> = new Set([
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'REQUEST_TOO_LARGE',
  'RESOURCE_EXHAUSTED',
  'UNAVAILABLE',
]);

export interface JsonRpcOptions {
  /** Requests without a version header are A2A 1.0, even with the method names of 0.3. */
  readonly unversionedIsCurrent?: boolean;
  /** Normalizes lenient request bodies to A2A 1.0. */
  readonly rewrite?: ((body: string) => string) | undefined;
}

export async function handleJsonRpc(
  handler: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  options: JsonRpcOptions = {},
): Promise<void> {
  let body = '';
  const observation = new RequestObservation(handler.observer, 'JSONRPC', request.socket);
  try {
    const caller = await admitRequest(handler, observation, request, response);
    requireJson(request);
    body = await readBody(request, handler.bodyBytes);
    observation.version = requestedVersion(
      request.headers,
      query,
      options.unversionedIsCurrent ? '1.0' : '0.3',
    );
    if (observation.version === '1.0') body = options.rewrite?.(body) ?? body;
    await dispatchJsonRpc(handler, { caller, observation, request, response }, body, options);
  } catch (error) {
    refuse(handler, { observation, request, response }, body, error);
  }
}

/** A request that another handler has admitted and read. */
export interface ReadRequest extends Pick<AdmittedRequest, 'caller' | 'request' | 'response'> {
  readonly body: string;
  readonly version: ProtocolVersion;
}

/** Answers an A2A request for a handler that serves more than A2A at its path. */
export type JsonRpcResponder = (read: ReadRequest) => Promise<void>;

export function createJsonRpcResponder(options: HandlerContextOptions): JsonRpcResponder {
  const handler = createHandlerContext(options);
  return async ({ caller, request, response, body, version }) => {
    const observation = new RequestObservation(handler.observer, 'JSONRPC', request.socket);
    observation.caller = caller.id;
    observation.version = version;
    try {
      await dispatchJsonRpc(handler, { caller, observation, request, response }, body);
    } catch (error) {
      refuse(handler, { observation, request, response }, body, error);
    }
  };
}

async function dispatchJsonRpc(
  handler: HandlerContext,
  admitted: AdmittedRequest,
  body: string,
  options: JsonRpcOptions = {},
): Promise<void> {
  const { observation, response } = admitted;
  if (observation.version === '0.3') {
    const envelope = readEnvelope(body);
    if ('error' in envelope) throw envelope.error;
    await handleLegacyJsonRpc(handler, admitted, envelope);
  } else {
    const decoded = decodeJsonRpcRequest(body, { legacyNames: options.unversionedIsCurrent === true });
    if ('error' in decoded) throw decoded.error;
    const { tenant } = decoded.operation.request;
    const { result, context } = await dispatchRequest(handler, admitted, decoded.operation, tenant);
    if ('stream' in result)
      await writeEventStream(handler, result.stream, jsonRpcFraming(decoded.id), context, response);
    else sendJson(response, 200, JSON_TYPE, jsonRpcResult(decoded.id, JSON.stringify(result.value)));
  }
  observation.end();
}

function refuse(
  handler: HandlerContext,
  { observation, request, response }: Omit<AdmittedRequest, 'caller'>,
  body: string,
  error: unknown,
): void {
  observation.end(error);
  sendError(handler, request, response, error, encodeError(readEnvelope(body).id, error));
}

function encodeError(id: JsonRpcId, error: unknown): ErrorResponse {
  const { code } = toPublicError(error);
  const status = CODES_WITH_HTTP_STATUS.has(code) ? ERROR_TABLE[code].http : 200;
  return { status, contentType: JSON_TYPE, json: jsonRpcFailure(id, error) };
}
