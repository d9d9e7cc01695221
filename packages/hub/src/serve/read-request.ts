import { A2AError, type JsonObject } from '@holdword/protocol';
import { isObject, type JsonRpcId } from '@holdword/protocol/internal';
import { HubError, showValue } from '../wire/hub-error.ts';

/** A JSON-RPC request to the hub. */
export interface RpcRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly contextId?: string;
}

/** Reads id and method of a rejected request: the error must carry the id even if the rest is invalid. */
export function readRejectedRequest(body: string): { id: JsonRpcId; method?: string } {
  try {
    const value: unknown = JSON.parse(body);
    const { id, method } = isObject(value) ? value : {};
    return {
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      ...(typeof method === 'string' && { method }),
    };
  } catch {
    return { id: null };
  }
}

export function readRequest(body: string): RpcRequest {
  const envelope = parse(body);
  if (Array.isArray(envelope)) throw invalid('Batch requests are not supported.');
  if (!isObject(envelope)) throw invalid(`Expected a JSON-RPC request object, found ${showValue(envelope)}.`);
  const { id = null, jsonrpc, method, contextId } = envelope;
  const params = envelope['params'] ?? {};
  if (jsonrpc !== '2.0') throw invalid(`Expected jsonrpc to be "2.0", found ${showValue(jsonrpc)}.`);
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw invalid(`Expected id to be a string or a number, found ${showValue(id)}.`);
  if (typeof method !== 'string' || method === '')
    throw invalid(`Expected method to be the name of a method, found ${showValue(method)}.`);
  if (!isObject(params)) {
    throw new HubError('DELX-A2A-1004', `Expected params to be an object, found ${showValue(params)}.`, {
      hint: 'Pass the parameters by name: "params": {"agent_id": "…"}.',
      details: { field: 'params' },
    });
  }
  return { id, method, params, ...(typeof contextId === 'string' && { contextId }) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new A2AError('PARSE_ERROR', 'Request body is not valid JSON.', { cause });
  }
}

function invalid(message: string): HubError {
  return new HubError('DELX-A2A-1001', message, {
    hint: 'Send one JSON-RPC 2.0 request, such as {"jsonrpc": "2.0", "id": 1, "method": "methods/list"}.',
  });
}
