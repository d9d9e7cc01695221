import type { JsonObject } from '@holdword/protocol';
import { WireError } from '../../support/drivers/wire-error.ts';
import type { Binding } from './binding.ts';

const BEFORE = '{"jsonrpc":"2.0","id":1,"result":';
const AFTER = '}';

export const jsonRpcBinding: Binding = {
  name: 'JSON-RPC',
  request: (address, method, params) => ({
    url: `${address}/a2a/jsonrpc`,
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }),
  unwrap: (text) => {
    if (text.startsWith(BEFORE) && text.endsWith(AFTER)) return text.slice(BEFORE.length, -AFTER.length);
    throw refusal(text);
  },
};

function refusal(text: string): Error {
  const { error } = JSON.parse(text) as { error?: { code: number; message: string; data?: JsonObject[] } };
  if (error === undefined) return new Error(`Expected a JSON-RPC result, received ${text}`);
  return new WireError({ code: error.code, message: error.message, details: error.data ?? [] });
}
