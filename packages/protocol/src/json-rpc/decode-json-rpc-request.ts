import { toPublicError } from '../errors/public-error.ts';
import { decodeOperation, type DecodedOperation } from '../operation-table.ts';
import { readEnvelope, type JsonRpcId, type JsonRpcRejection } from './envelope.ts';
import { isLegacyMethod, resolveMethod } from './method.ts';

/** A validated A2A 1.0 request, ready to be dispatched. */
export interface DecodedJsonRpcRequest {
  id: JsonRpcId;
  operation: DecodedOperation;
}

/** Decodes the body of an A2A 1.0 JSON-RPC request. With `legacyNames`, its method may also have its 0.3 name. */
export function decodeJsonRpcRequest(
  body: string,
  options: { legacyNames?: boolean } = {},
): DecodedJsonRpcRequest | JsonRpcRejection {
  const envelope = readEnvelope(body);
  if ('error' in envelope) return envelope;
  const { id, method, params } = envelope;
  try {
    const version = options.legacyNames === true && isLegacyMethod(method) ? '0.3' : '1.0';
    return { id, operation: decodeOperation(resolveMethod(method, version), params) };
  } catch (error) {
    return { id, error: toPublicError(error) };
  }
}
