import { toPublicError } from '../errors/public-error.ts';
import { decodeOperation, type DecodedOperation } from '../operation-table.ts';
import { readEnvelope, type JsonRpcId, type JsonRpcRejection } from './envelope.ts';
import { isLegacyMethod, resolveMethod } from './method.ts';

/** A call of an A2A 1.0 operation, checked and ready to be made. */
export interface DecodedJsonRpcRequest {
  id: JsonRpcId;
  operation: DecodedOperation;
}

/** Decodes the body of an A2A 1.0 JSON-RPC request; with `legacyNames` its method may be called as in 0.3, too. */
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
