import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type OperationName } from '@holdword/protocol';
import {
  decodeOperation,
  decodeRestRequest,
  coreErrorToV03,
  matchRestRoute,
  toHttpError,
  toJsonRpcError,
  type DecodedOperation,
  type RestMatch,
} from '@holdword/protocol/internal';
import type { RequestObservation } from '../../observe/request-observation.ts';
import { admitRequest } from '../admit-request.ts';
import { dispatchRequest, type AdmittedRequest } from '../dispatch-request.ts';
import type { HandlerContext } from '../handler-context.ts';
import { writeEventStream, type Framing } from '../event-stream.ts';
import { pathOf } from '../paths.ts';
import { readRestBody } from '../read-rest-body.ts';
import { JSON_TYPE, sendError, sendJson, type ErrorResponse } from '../respond.ts';
import { encodeLegacyResult, encodeLegacyStream } from './dialect.ts';
import { restDialect, v03SendRequestToCore, v03TaskPushConfigToCore } from './rest-codec.ts';

const PREFIX = '/v1';

export function isLegacyRestPath(path: string): boolean {
  return path.startsWith(`${PREFIX}/`);
}

/**
 * Answers a request of the 0.3 REST binding.
 *
 * The SDK's handler for it reads and writes the JSON of the JSON-RPC binding and leaves the ProtoJSON to code that it
 * does not export. So the translation is made here, directly from and to the values of 1.0.
 */
export async function handleLegacyRest(
  handler: HandlerContext,
  observation: RequestObservation,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  try {
    const caller = await admitRequest(handler, observation, request, response);
    const match = matchRestRoute(request.method ?? '', path.slice(PREFIX.length), {
      version: '0.3',
      fullPath: pathOf(request),
    });
    const { operation } = match;
    const body = await readRestBody(request, handler.bodyBytes);
    const { result, context } = await dispatchLegacy(
      handler,
      { caller, observation, request, response },
      match,
      query,
      body,
    );
    if ('stream' in result) {
      await writeEventStream(
        handler,
        encodeLegacyStream(restDialect, result.stream),
        FRAMING,
        context,
        response,
      );
    } else {
      const value = encodeLegacyResult(restDialect, operation, result.value);
      sendJson(response, 200, JSON_TYPE, JSON.stringify(value));
    }
    observation.end();
  } catch (error) {
    observation.end(error);
    sendError(handler, request, response, error, encodeError(error));
  }
}

async function dispatchLegacy(
  handler: HandlerContext,
  admitted: AdmittedRequest,
  match: RestMatch,
  query: string,
  body: string,
): ReturnType<typeof dispatchRequest> {
  const { operation } = match;
  const given = WITH_BODY.has(operation) ? parseBody(body) : undefined;
  try {
    return await dispatchRequest(handler, admitted, decodeLegacyCall(match, query, given), undefined);
  } catch (error) {
    throw coreErrorToV03(error, { wire: 'HTTP+JSON', operation, given });
  }
}

const WITH_BODY: ReadonlySet<OperationName> = new Set([
  'sendMessage',
  'sendStreamingMessage',
  'createTaskPushNotificationConfig',
]);

function decodeLegacyCall(match: RestMatch, query: string, body: unknown): DecodedOperation {
  switch (match.operation) {
    case 'sendMessage':
    case 'sendStreamingMessage':
      return decodeOperation(match.operation, v03SendRequestToCore(body));
    case 'createTaskPushNotificationConfig':
      return decodeOperation(match.operation, v03TaskPushConfigToCore(body, match.fields['taskId'] ?? ''));
    case 'getTask':
    case 'cancelTask':
    case 'subscribeToTask':
    case 'getTaskPushNotificationConfig':
    case 'listTaskPushNotificationConfigs':
    case 'deleteTaskPushNotificationConfig':
    case 'getExtendedAgentCard':
    case 'listTasks':
    default:
      return decodeRestRequest(match, new URLSearchParams(query), '');
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new A2AError('PARSE_ERROR', 'The request body is not valid JSON.');
  }
}

const FRAMING: Framing = {
  before: '',
  after: '',
  encodeError: (error) => `event: error\ndata: ${JSON.stringify(toJsonRpcError(error))}\n\n`,
};

/** In 0.3 the body of an error is the bare JSON-RPC error. */
function encodeError(error: unknown): ErrorResponse {
  const json = JSON.stringify(toJsonRpcError(error));
  return { status: toHttpError(error).status, contentType: JSON_TYPE, json };
}
