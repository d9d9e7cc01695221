import { shorten } from './basics/shorten.ts';
import { A2AError, toPublicError } from './errors/a2a-error.ts';
import { toJsonRpcError } from './errors/encode-error.ts';
import { isObject, type JsonObject } from './basics/json.ts';
import {
  decodeOperation,
  OPERATION_NAMES,
  OPERATIONS,
  type DecodedOperation,
  type OperationName,
} from './operations.ts';
import { VERSION_PARAMETER, type ProtocolVersion } from './version.ts';

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

const CURRENT_METHODS = new Map<string, OperationName>();
const METHODS: Record<ProtocolVersion, Map<string, OperationName>> = {
  '1.0': CURRENT_METHODS,
  '1.1': CURRENT_METHODS,
  '0.3': new Map(),
};
for (const name of OPERATION_NAMES) {
  const { method, v03 } = OPERATIONS[name];
  CURRENT_METHODS.set(method, name);
  if (v03 !== undefined) METHODS['0.3'].set(v03.method, name);
}

export function isLegacyMethod(method: string): boolean {
  return METHODS['0.3'].has(method);
}

/**
 * Finds the operation for a method name. A method of the other version is a common mistake, because a client without a
 * version header speaks 0.3: the error says which header to send.
 */
export function resolveMethod(method: string, version: ProtocolVersion): OperationName {
  const operation = METHODS[version].get(method);
  if (operation !== undefined) return operation;

  const other = version === '0.3' ? '1.0' : '0.3';
  const advice = METHODS[other].has(method)
    ? `It is a method of A2A ${other}: send the header ${VERSION_PARAMETER}: ${other}.`
    : `Known methods: ${[...METHODS[version].keys()].join(', ')}.`;
  throw new A2AError(
    'METHOD_NOT_FOUND',
    `A2A ${version} has no method ${JSON.stringify(shorten(method, 80))}. ${advice}`,
  );
}

/** Wraps a result that is already JSON into its envelope, without decoding it. */
export function jsonRpcResult(id: JsonRpcId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

export function jsonRpcFailure(id: JsonRpcId, error: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: toJsonRpcError(error) });
}
