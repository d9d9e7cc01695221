import { jsonRpcFailure, type JsonRpcId } from '@holdword/protocol/internal';
import type { Framing } from './event-stream.ts';

/** Each frame of a stream is a response to the request, with its id. */
export function jsonRpcFraming(id: JsonRpcId): Framing {
  return {
    before: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`,
    after: '}',
    encodeError: (error) => `data: ${jsonRpcFailure(id, error)}\n\n`,
  };
}
