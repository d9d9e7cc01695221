import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, decodeRestCall, matchRestRoute, toHttpError } from '@holdword/protocol';
import { WatchedCall } from '../observe/watched-call.ts';
import { admitRequest } from './admit-request.ts';
import { callOperation } from './call-operation.ts';
import type { Edge } from './edge.ts';
import { writeEventStream, type Framing } from './event-stream.ts';
import { answerLegacyRest, isLegacyRestPath } from './legacy/rest-endpoint.ts';
import { pathOf } from './paths.ts';
import { readRestBody } from './read-rest-body.ts';
import { requestedVersion } from './requested-version.ts';
import { A2A_JSON_TYPE, sendError, sendJson, type ErrorAnswer } from './respond.ts';

/** Answers a request of the HTTP+JSON binding; `path` is what follows its mount. */
export async function answerRest(
  edge: Edge,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const watched = new WatchedCall(edge.observer, 'HTTP+JSON', request.socket);
  try {
    const version = requestedVersion(request.headers, query);
    watched.version = version;
    if (version === '0.3' && isLegacyRestPath(path)) {
      await answerLegacyRest(edge, watched, request, response, path, query);
      return;
    }
    const caller = await admitRequest(edge, watched, request, response);
    if (version === '0.3') throw unversioned();
    const match = matchRestRoute(request.method ?? '', path, { asked: pathOf(request) });
    const body = await readRestBody(request, edge.bodyBytes);
    const operationCall = decodeRestCall(match, new URLSearchParams(query), body);
    const { tenant } = operationCall.request;
    const admitted = { caller, watched, request, response };
    const { answer, call } = await callOperation(edge, admitted, operationCall, tenant);
    if ('stream' in answer) await writeEventStream(edge, answer.stream, FRAMING, call, response);
    else sendJson(response, 200, A2A_JSON_TYPE, JSON.stringify(answer.value));
    watched.end();
  } catch (error) {
    watched.end(error);
    sendError(edge, request, response, error, encodeError(error));
  }
}

const FRAMING: Framing = {
  before: '',
  after: '',
  encodeError: (error) => `event: error\ndata: ${JSON.stringify(toHttpError(error).body)}\n\n`,
};

function encodeError(error: unknown): ErrorAnswer {
  const { status, body } = toHttpError(error);
  return { status, contentType: A2A_JSON_TYPE, json: JSON.stringify(body) };
}

function unversioned(): A2AError {
  return new A2AError(
    'VERSION_NOT_SUPPORTED',
    'A request without the header A2A-Version speaks A2A 0.3, whose paths begin with /v1. ' +
      'Send A2A-Version: 1.0, or use a path of 0.3.',
    { metadata: { supportedVersions: '1.0, 0.3' } },
  );
}
