import { toJsonRpcError } from '../errors/json-rpc-error.ts';
import type { JsonRpcId } from './envelope.ts';

/** Wraps a result that is already JSON into its envelope, without decoding it. */
export function jsonRpcResult(id: JsonRpcId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

export function jsonRpcFailure(id: JsonRpcId, error: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: toJsonRpcError(error) });
}
