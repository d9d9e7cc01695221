import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError } from '@holdword/protocol';
import { decodeRestRequest, matchRestRoute, toHttpError } from '@holdword/protocol/internal';
import { RequestObservation } from '../observe/request-observation.ts';
import { admitRequest } from './admit-request.ts';
import { dispatchRequest } from './dispatch-request.ts';
import type { HandlerContext } from './handler-context.ts';
import { writeEventStream, type Framing } from './event-stream.ts';
import { handleLegacyRest, isLegacyRestPath } from './legacy/rest-endpoint.ts';
import { pathOf } from './paths.ts';
import { readRestBody } from './read-rest-body.ts';
import { requestedVersion } from './requested-version.ts';
import { A2A_JSON_TYPE, sendError, sendJson, type ErrorResponse } from './respond.ts';

/** Answers a request of the HTTP+JSON binding. `path` is the path below its mount. */
export async function handleRest(
  handler: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const observation = new RequestObservation(handler.observer, 'HTTP+JSON', request.socket);
  try {
    const version = requestedVersion(request.headers, query);
    observation.version = version;
    if (version === '0.3' && isLegacyRestPath(path)) {
      await handleLegacyRest(handler, observation, request, response, path, query);
      return;
    }
    const caller = await admitRequest(handler, observation, request, response);
    if (version === '0.3') throw unversioned();
    const match = matchRestRoute(request.method ?? '', path, { fullPath: pathOf(request) });
    const body = await readRestBody(request, handler.bodyBytes);
    const decoded = decodeRestRequest(match, new URLSearchParams(query), body);
    const { tenant } = decoded.request;
    const admitted = { caller, observation, request, response };
    const { result, context } = await dispatchRequest(handler, admitted, decoded, tenant);
    if ('stream' in result) await writeEventStream(handler, result.stream, FRAMING, context, response);
    else sendJson(response, 200, A2A_JSON_TYPE, JSON.stringify(result.value));
    observation.end();
  } catch (error) {
    observation.end(error);
    sendError(handler, request, response, error, encodeError(error));
  }
}

const FRAMING: Framing = {
  before: '',
  after: '',
  encodeError: (error) => `event: error\ndata: ${JSON.stringify(toHttpError(error).body)}\n\n`,
};

function encodeError(error: unknown): ErrorResponse {
  const { status, body } = toHttpError(error);
  return { status, contentType: A2A_JSON_TYPE, json: JSON.stringify(body) };
}

function unversioned(): A2AError {
  return new A2AError(
    'VERSION_NOT_SUPPORTED',
    'Requests without the A2A-Version header are A2A 0.3, whose paths begin with /v1. ' +
      'Send A2A-Version: 1.0, or use a path of 0.3.',
    { metadata: { supportedVersions: '1.0, 0.3' } },
  );
}
