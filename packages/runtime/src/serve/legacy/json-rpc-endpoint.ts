import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeOperation, jsonRpcResult, resolveMethod, type JsonRpcEnvelope } from '@parley/protocol';
import type { Caller } from '../auth/authentication.ts';
import type { Edge } from '../edge.ts';
import { writeEventStream } from '../event-stream.ts';
import { HttpCall } from '../http-call.ts';
import { jsonRpcFraming } from '../json-rpc-framing.ts';
import { ownerOf } from '../owner-of.ts';
import { perform } from '../perform.ts';
import { echoExtensions, JSON_TYPE, sendJson } from '../respond.ts';
import { readServiceParameters } from '../service-parameters.ts';
import { encodeLegacyAnswer, encodeLegacyStream } from './dialect.ts';
import { jsonRpcDialect, v03ParamsToCore } from './json-rpc-codec.ts';

/**
 * Answers a JSON-RPC request of 0.3. Rejects with what the endpoint then answers as an error.
 *
 * The SDK has a handler for it, but it accepts requests without required fields, fails inside on others, and drops the
 * details of errors; so requests pass the schemas of 1.0 here too.
 */
export async function answerLegacyJsonRpc(
  edge: Edge,
  caller: Caller,
  { id, method, params }: JsonRpcEnvelope,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const operation = resolveMethod(method, '0.3');
  const operationCall = decodeOperation(operation, v03ParamsToCore(operation, params));
  const call = new HttpCall(ownerOf(caller, undefined), readServiceParameters(request.headers), response);
  echoExtensions(response, call.extensions);
  const answer = await perform(edge, operationCall, call);
  if ('stream' in answer) {
    const stream = encodeLegacyStream(jsonRpcDialect, answer.stream);
    await writeEventStream(edge, stream, jsonRpcFraming(id), call, response);
  } else {
    const json = JSON.stringify(encodeLegacyAnswer(jsonRpcDialect, operation, answer.value));
    sendJson(response, 200, JSON_TYPE, jsonRpcResult(id, json));
  }
}
