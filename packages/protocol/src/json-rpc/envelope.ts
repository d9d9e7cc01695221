import { A2AError } from '../errors/a2a-error.ts';
import { isObject, type JsonObject } from '../model/json.ts';

export type JsonRpcId = string | number | null;

/** A JSON-RPC request whose method and parameters are not decoded yet. */
export interface JsonRpcEnvelope {
  id: JsonRpcId;
  method: string;
  params: JsonObject;
}

/** An invalid request, with its ID if that was readable: the response must contain it. */
export interface JsonRpcRejection {
  id: JsonRpcId;
  error: A2AError;
}

/** Decodes the envelope, which is the same in every version of A2A. */
export function readEnvelope(body: string): JsonRpcEnvelope | JsonRpcRejection {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { id: null, error: new A2AError('PARSE_ERROR', 'The request body is not valid JSON.') };
  }
  if (Array.isArray(value)) return reject(null, 'A2A does not support batches; send the requests one by one');
  if (!isObject(value)) return reject(null, 'the body must be an object');

  const id = value['id'] ?? null;
  if (!isId(id)) return reject(null, 'the id must be a string, a safe integer or null');
  if (value['jsonrpc'] !== '2.0') return reject(id, '"jsonrpc" must be "2.0"');
  const method = value['method'];
  if (typeof method !== 'string' || method === '') return reject(id, '"method" must be a non-empty string');
  const params = value['params'] ?? {};
  if (!isObject(params)) {
    const message = 'The params must be an object with named parameters.';
    return { id, error: new A2AError('INVALID_PARAMS', message) };
  }
  return { id, method, params };
}

function reject(id: JsonRpcId, problem: string): JsonRpcRejection {
  return { id, error: new A2AError('INVALID_REQUEST', `Invalid JSON-RPC 2.0 request: ${problem}.`) };
}

function isId(id: unknown): id is JsonRpcId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}
