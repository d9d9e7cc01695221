import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type OperationName } from '@holdword/protocol';
import {
  coreErrorToV03,
  decodeRestRequest,
  decodeV03RestRequest,
  matchRestRoute,
  parseV03RestBody,
  PROTOCOL_VERSIONS,
  toHttpError,
  V03_PROTO_JSON,
  V03_REST_PREFIX,
  v03Operation,
  v03RestError,
} from '@holdword/protocol/internal';
import { RequestObservation } from '../observe/observer.ts';
import { admitRequest } from './admission.ts';
import { dispatch, type AdmittedRequest, type DispatchResult } from './dispatch.ts';
import { startEventStream } from './event-stream.ts';
import type { HandlerContext } from './handler-context.ts';
import { readRestBody } from './request-body.ts';
import { A2A_JSON_TYPE, HttpConnection, JSON_TYPE, NO_ENVELOPE, sendError, sendValue } from './respond.ts';
import { requestedVersion, withQueryParameters } from './service-parameters.ts';

/** How a version of A2A answers over REST. */
interface Dialect {
  readonly contentType: string;
  dispatch(
    handler: HandlerContext,
    admitted: AdmittedRequest,
    request: IncomingMessage,
    target: RestTarget,
  ): Promise<Dispatched>;
  /** The body of an error. */
  readonly errorBody: (error: unknown) => unknown;
}

interface RestTarget {
  /** The path below the mount of the binding. */
  readonly path: string;
  /** The whole path, for error messages. */
  readonly fullPath: string;
  readonly query: string;
}

interface Dispatched {
  readonly result: DispatchResult;
  /** Encodes a value or an event of 1.0 in the version of the request. */
  readonly encode?: (value: unknown) => unknown;
  /** Does the same for an error. */
  readonly translateError?: (error: unknown) => unknown;
}

function same(error: unknown): unknown {
  return error;
}

/** Answers a request of the HTTP+JSON binding. */
export async function handleRest(
  handler: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
  target: RestTarget,
): Promise<void> {
  const { path, query } = target;
  const observation = new RequestObservation(handler.observer, 'HTTP+JSON', request.socket);
  let dialect: Dialect = current;
  try {
    observation.version = requestedVersion(request.headers, query);
    if (observation.version === '0.3') dialect = path.startsWith(`${V03_REST_PREFIX}/`) ? v03 : unversioned;
    const caller = await admitRequest(handler, observation, request.headers, response);
    const client = new HttpConnection(response);
    const {
      result,
      encode,
      translateError = same,
    } = await dialect.dispatch(
      handler,
      { caller, observation, headers: withQueryParameters(request.headers, query), client },
      request,
      target,
    );
    if ('stream' in result) {
      const { errorBody } = dialect;
      const encodeError = (error: unknown): string =>
        `event: error\ndata: ${JSON.stringify(errorBody(translateError(error)))}\n\n`;
      const framing = { before: '', after: '', encodeEvent: encode, encodeError };
      startEventStream(handler, result, framing, client, response, observation);
      return;
    }
    const value = encode === undefined ? result.value : encode(result.value);
    // What a GET answers depends on the caller, and caches know only some of the headers that may have its credential.
    if (request.method === 'GET') response.setHeader('Cache-Control', 'no-store');
    sendValue(handler, response, acceptedType(request, dialect), value, NO_ENVELOPE, observation);
  } catch (error) {
    observation.end(error);
    const contentType = errorType(request, dialect);
    const { status } = toHttpError(error);
    const json = JSON.stringify(dialect.errorBody(error));
    sendError(handler, request, response, error, { status, contentType, json });
  }
}

/** The type of the dialect, unless the client accepts plain JSON alone, as clients of A2A 1.0.0 do. */
function acceptedType({ headers: { accept } }: IncomingMessage, { contentType }: Dialect): string {
  if (contentType === JSON_TYPE || accept === undefined || accept === '*/*') return contentType;
  const types = accept.toLowerCase();
  return types.includes(JSON_TYPE) && !types.includes(A2A_JSON_TYPE) ? JSON_TYPE : contentType;
}

/** The official Go SDK accepts nothing in particular, or event streams, and reads errors from plain JSON alone. */
function errorType(request: IncomingMessage, dialect: Dialect): string {
  const { accept = 'text/event-stream' } = request.headers;
  return accept === 'text/event-stream' ? JSON_TYPE : acceptedType(request, dialect);
}

const current: Dialect = {
  contentType: A2A_JSON_TYPE,
  errorBody: (error) => toHttpError(error).body,
  async dispatch(handler, admitted, request, { path, fullPath, query }) {
    const match = matchRestRoute(request.method ?? '', path, { fullPath });
    const body = await readRestBody(request, handler.bodyBytes);
    const decoded = decodeRestRequest(match, new URLSearchParams(query), body);
    return { result: await dispatch(handler, admitted, decoded, decoded.request.tenant) };
  },
};

/**
 * The SDK's handler for 0.3 reads and writes the JSON of the JSON-RPC binding and leaves the ProtoJSON to code that it
 * does not export. So the translation is made directly from and to the values of 1.0.
 */
const v03: Dialect = {
  contentType: JSON_TYPE,
  errorBody: v03RestError,
  async dispatch(handler, admitted, request, { path, fullPath, query }) {
    const match = matchRestRoute(request.method ?? '', path.slice(V03_REST_PREFIX.length), {
      version: '0.3',
      fullPath,
    });
    const { operation } = match;
    const given = parseV03RestBody(match, await readRestBody(request, handler.bodyBytes));
    const { value } = v03Operation(V03_PROTO_JSON, operation);
    try {
      const decoded = decodeV03RestRequest(match, new URLSearchParams(query), given);
      const result = await dispatch(handler, admitted, decoded, undefined);
      return { result, encode: value.toV03, translateError: v03Translator(operation) };
    } catch (error) {
      throw coreErrorToV03(error, { wire: 'HTTP+JSON', operation, given });
    }
  },
};

/** For errors of a stream. Does not know the request, which would stay in memory for as long as the stream is open. */
function v03Translator(operation: OperationName): (error: unknown) => unknown {
  return (error) => coreErrorToV03(error, { wire: 'HTTP+JSON', operation });
}

/** Requests without a version are 0.3, but this path is one of 1.0. */
const unversioned: Dialect = {
  ...current,
  dispatch: () =>
    Promise.reject(
      new A2AError(
        'VERSION_NOT_SUPPORTED',
        'Requests without the A2A-Version header are A2A 0.3, whose paths begin with /v1. ' +
          'Send A2A-Version: 1.0, or use a path of 0.3.',
        { metadata: { supportedVersions: PROTOCOL_VERSIONS.join(', ') } },
      ),
    ),
};
