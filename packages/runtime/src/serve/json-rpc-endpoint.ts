import type { IncomingMessage, ServerResponse } from 'node:http';
import type { A2AErrorCode, OperationName, ProtocolVersion } from '@holdword/protocol';
import {
  coreErrorToV03,
  decodeJsonRpcRequest,
  decodeOperation,
  ERROR_TABLE,
  jsonRpcFailure,
  readEnvelope,
  resolveMethod,
  toPublicError,
  V03_JSON,
  v03Operation,
  type JsonRpcId,
} from '@holdword/protocol/internal';
import { RequestObservation } from '../observe/observer.ts';
import { admitRequest } from './admission.ts';
import type { Caller } from './auth/authentication.ts';
import { dispatch, type AdmittedRequest, type DispatchResult } from './dispatch.ts';
import { startEventStream, type Framing } from './event-stream.ts';
import { createHandlerContext, type HandlerContext, type HandlerContextOptions } from './handler-context.ts';
import { readBody, requireJson } from './request-body.ts';
import {
  type Envelope,
  type ErrorResponse,
  HttpConnection,
  JSON_TYPE,
  sendError,
  sendValue,
} from './respond.ts';
import { requestedVersion } from './service-parameters.ts';

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

/** Answers a request of the JSON-RPC binding. */
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
    const caller = await admitRequest(handler, observation, request.headers, response);
    requireJson(request);
    body = await readBody(request, handler.bodyBytes);
    observation.version = requestedVersion(
      request.headers,
      query,
      options.unversionedIsCurrent ? '1.0' : '0.3',
    );
    if (observation.version !== '0.3') body = options.rewrite?.(body) ?? body;
    await answer(handler, { caller, observation, request, response }, body, options);
  } catch (error) {
    refuse(handler, { observation, request, response }, body, error);
  }
}

/** A request that another handler has admitted and read. */
export interface ReadRequest {
  readonly caller: Caller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
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
      await answer(handler, { caller, observation, request, response }, body);
    } catch (error) {
      refuse(handler, { observation, request, response }, body, error);
    }
  };
}

interface OpenRequest {
  readonly observation: RequestObservation;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(
  handler: HandlerContext,
  { caller, observation, request, response }: OpenRequest & { readonly caller: Caller },
  body: string,
  options: JsonRpcOptions = {},
): Promise<void> {
  const client = new HttpConnection(response);
  const admitted: AdmittedRequest = { caller, observation, headers: request.headers, client };
  const dispatched =
    observation.version === '0.3'
      ? await dispatchV03(handler, admitted, body)
      : await dispatchCurrent(handler, admitted, body, options);
  const { id, result, encode } = dispatched;
  if ('stream' in result) {
    startEventStream(handler, result, framing(dispatched), client, response, observation);
    return;
  }
  const value = encode === undefined ? result.value : encode(result.value);
  sendValue(handler, response, JSON_TYPE, value, resultEnvelope(id), observation);
}

interface Dispatched {
  readonly id: JsonRpcId;
  readonly result: DispatchResult;
  /** Encodes a value or an event of 1.0 in the version of the request. */
  readonly encode?: (value: unknown) => unknown;
  /** Does the same for an error. */
  readonly translateError?: (error: unknown) => unknown;
}

async function dispatchCurrent(
  handler: HandlerContext,
  admitted: AdmittedRequest,
  body: string,
  { unversionedIsCurrent = false }: JsonRpcOptions,
): Promise<Dispatched> {
  const decoded = decodeJsonRpcRequest(body, { legacyNames: unversionedIsCurrent });
  if ('error' in decoded) throw decoded.error;
  const { id, operation } = decoded;
  return { id, result: await dispatch(handler, admitted, operation, operation.request.tenant) };
}

/**
 * The SDK has a handler for 0.3, but that accepts requests without required fields, throws on others, and drops error
 * details. So requests are validated by the schemas of 1.0 here as well.
 */
async function dispatchV03(
  handler: HandlerContext,
  admitted: AdmittedRequest,
  body: string,
): Promise<Dispatched> {
  const envelope = readEnvelope(body);
  if ('error' in envelope) throw envelope.error;
  const { id, method, params } = envelope;
  const operation = resolveMethod(method, '0.3');
  const { request, value } = v03Operation(V03_JSON, operation);
  try {
    const decoded = decodeOperation(operation, request.toCore(params));
    const result = await dispatch(handler, admitted, decoded, undefined);
    return { id, result, encode: value.toV03, translateError: v03Translator(operation) };
  } catch (error) {
    throw coreErrorToV03(error, { wire: 'JSONRPC', operation, given: params });
  }
}

/** For errors of a stream. Does not know the request, which would stay in memory for as long as the stream is open. */
function v03Translator(operation: OperationName): (error: unknown) => unknown {
  return (error) => coreErrorToV03(error, { wire: 'JSONRPC', operation });
}

function resultEnvelope(id: JsonRpcId): Envelope {
  return { before: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, after: '}' };
}

/** Each frame of a stream is a response to the request, with its id. */
function framing({ id, encode: encodeEvent, translateError = same }: Dispatched): Framing {
  return {
    ...resultEnvelope(id),
    encodeEvent,
    encodeError: (error) => `data: ${jsonRpcFailure(id, translateError(error))}\n\n`,
  };
}

function same(error: unknown): unknown {
  return error;
}

function refuse(
  handler: HandlerContext,
  { observation, request, response }: OpenRequest,
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
