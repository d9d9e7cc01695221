import { toPublicError } from '../errors/public-error.ts';
import { decodeOperation, type OperationCall } from '../operation-table.ts';
import { readEnvelope, type JsonRpcId, type JsonRpcRefusal } from './envelope.ts';
import { resolveMethod } from './method.ts';

/** A call of an A2A 1.0 operation, checked and ready to be made. */
export interface JsonRpcCall {
  id: JsonRpcId;
  call: OperationCall;
}

/** Decodes the body of an A2A 1.0 JSON-RPC request. */
export function decodeJsonRpcCall(body: string): JsonRpcCall | JsonRpcRefusal {
  const envelope = readEnvelope(body);
  if ('error' in envelope) return envelope;
  const { id, method, params } = envelope;
  try {
    return { id, call: decodeOperation(resolveMethod(method, '1.0'), params) };
  } catch (error) {
    return { id, error: toPublicError(error) };
  }
}
