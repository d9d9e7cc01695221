import { A2AError, type JsonObject } from '@holdword/protocol';
import { isObject, type JsonRpcId } from '@holdword/protocol/internal';
import { HubError } from '../errors/hub-error.ts';

/** A JSON-RPC request of the hub. */
export interface RpcRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly contextId?: string;
}

/** What can be read of a request that was refused: its answer must carry the id even when nothing else is right. */
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
  if (!isObject(envelope)) throw invalid('found another JSON value; requests are sent one by one');
  const { id = null, jsonrpc, method, contextId } = envelope;
  const params = envelope['params'] ?? {};
  if (jsonrpc !== '2.0') throw invalid('found no "jsonrpc": "2.0"');
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw invalid('found an id that is neither a text nor a number');
  if (typeof method !== 'string' || method === '') throw invalid('found no method name');
  if (!isObject(params)) {
    throw new HubError('DELX-A2A-1004', 'Expected params to be an object, found another JSON value.', {
      hint: 'Give the parameters by name: "params": {"agent_id": "…"}.',
      details: { field: 'params' },
    });
  }
  return { id, method, params, ...(typeof contextId === 'string' && { contextId }) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new A2AError('PARSE_ERROR', 'Expected a body of JSON, found text that does not parse.', { cause });
  }
}

function invalid(found: string): HubError {
  return new HubError('DELX-A2A-1001', `Expected a JSON-RPC 2.0 request, ${found}.`, {
    hint: 'Send {"jsonrpc": "2.0", "id": 1, "method": "methods/list"} to see what can be called.',
  });
}
