import { A2AError } from '../errors/a2a-error.ts';
import { isObject, type JsonObject } from '../model/json.ts';

export type JsonRpcId = string | number | null;

/** A JSON-RPC request whose method and parameters nobody has looked at yet. */
export interface JsonRpcEnvelope {
  id: JsonRpcId;
  method: string;
  params: JsonObject;
}

/** A request that cannot be understood, with its id where that could be read: the answer must carry it. */
export interface JsonRpcRejection {
  id: JsonRpcId;
  error: A2AError;
}

/** Reads the envelope, the same for every version of A2A. */
export function readEnvelope(body: string): JsonRpcEnvelope | JsonRpcRejection {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { id: null, error: new A2AError('PARSE_ERROR', 'Expected JSON, found text that does not parse.') };
  }
  if (Array.isArray(value))
    return refuse(null, 'found an array; A2A has no batches, send the requests one by one');
  if (!isObject(value)) return refuse(null, 'found another JSON value');

  const id = value['id'] ?? null;
  if (!isId(id))
    return refuse(null, 'found an id that is neither a string nor an integer that JSON keeps exact');
  if (value['jsonrpc'] !== '2.0') return refuse(id, 'found no "jsonrpc": "2.0"');
  const method = value['method'];
  if (typeof method !== 'string' || method === '') return refuse(id, 'found no method name');
  const params = value['params'] ?? {};
  if (!isObject(params)) {
    const message = 'Expected params to be an object with named parameters; found another JSON value.';
    return { id, error: new A2AError('INVALID_PARAMS', message) };
  }
  return { id, method, params };
}

function refuse(id: JsonRpcId, found: string): JsonRpcRejection {
  return { id, error: new A2AError('INVALID_REQUEST', `Expected a JSON-RPC 2.0 request; ${found}.`) };
}

function isId(id: unknown): id is JsonRpcId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}
