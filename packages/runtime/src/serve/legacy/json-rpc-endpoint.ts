import type { OperationName } from '@holdword/protocol';
import {
  decodeOperation,
  coreErrorToV03,
  jsonRpcResult,
  resolveMethod,
  type JsonRpcEnvelope,
} from '@holdword/protocol/internal';
import { dispatchRequest, type AdmittedRequest } from '../dispatch-request.ts';
import type { HandlerContext } from '../handler-context.ts';
import { writeEventStream } from '../event-stream.ts';
import { jsonRpcFraming } from '../json-rpc-framing.ts';
import { JSON_TYPE, sendJson } from '../respond.ts';
import { encodeLegacyResult, encodeLegacyStream } from './dialect.ts';
import { jsonRpcDialect, v03ParamsToCore } from './json-rpc-codec.ts';

/**
 * Answers a 0.3 JSON-RPC request. Rejects with the error that the endpoint sends.
 *
 * The SDK has a handler for it, but that accepts requests without required fields, throws on others, and drops error
 * details. So requests are validated by the schemas of 1.0 here as well.
 */
export async function handleLegacyJsonRpc(
  handler: HandlerContext,
  admitted: AdmittedRequest,
  { id, method, params }: JsonRpcEnvelope,
): Promise<void> {
  const operation = resolveMethod(method, '0.3');
  const { response } = admitted;
  const { result, context } = await dispatchLegacy(handler, admitted, operation, params);
  if ('stream' in result) {
    const stream = encodeLegacyStream(jsonRpcDialect, result.stream);
    await writeEventStream(handler, stream, jsonRpcFraming(id), context, response);
  } else {
    const json = JSON.stringify(encodeLegacyResult(jsonRpcDialect, operation, result.value));
    sendJson(response, 200, JSON_TYPE, jsonRpcResult(id, json));
  }
}

async function dispatchLegacy(
  handler: HandlerContext,
  admitted: AdmittedRequest,
  operation: OperationName,
  params: JsonRpcEnvelope['params'],
): ReturnType<typeof dispatchRequest> {
  try {
    const decoded = decodeOperation(operation, v03ParamsToCore(operation, params));
    return await dispatchRequest(handler, admitted, decoded, undefined);
  } catch (error) {
    throw coreErrorToV03(error, { wire: 'JSONRPC', operation, given: params });
  }
}
