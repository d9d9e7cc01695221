import { A2AError, type ProtocolVersion } from '@holdword/protocol';
import { isObject, readJsonRpcError } from '@holdword/protocol/internal';
import {
  HttpEndpoint,
  parseJson,
  type HttpRequest,
  type HttpEndpointOptions,
} from '../http/http-endpoint.ts';
import type { PeerCallOptions } from '../peer.ts';
import { serviceHeaders } from '../service-headers.ts';
import type { Wire } from '../wire.ts';
import { currentDialect, legacyDialect, type JsonRpcDialect } from './json-rpc-dialect.ts';

export interface JsonRpcWireOptions extends HttpEndpointOptions {
  url: string;
  version: ProtocolVersion;
  extensions: readonly string[];
}

/** Calls that change nothing. */
const READ_OPERATIONS: ReadonlySet<string> = new Set(['getTask', 'listTasks', 'getExtendedAgentCard']);

export function openJsonRpcWire(options: JsonRpcWireOptions): Wire {
  const { url, version, extensions } = options;
  const endpoint = new HttpEndpoint(options);
  const dialect: JsonRpcDialect = version === '1.0' ? currentDialect : legacyDialect;
  let lastId = 0;

  const request = (
    id: number,
    method: string,
    params: unknown,
    repeatable: boolean,
    call: PeerCallOptions,
  ): HttpRequest => ({
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...serviceHeaders(version, extensions, call, 'Last-Event-ID'),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    repeatable,
  });

  return {
    call: async (operation, params, call) => {
      const id = (lastId += 1);
      const http = request(
        id,
        dialect.method(operation),
        dialect.params(operation, params),
        READ_OPERATIONS.has(operation),
        call,
      );
      return dialect.answer(operation, resultOf(id, await endpoint.callJson(http, call)));
    },
    stream: async function* (operation, params, call) {
      const id = (lastId += 1);
      const http = request(id, dialect.method(operation), dialect.params(operation, params), false, call);
      for await (const { data, id: eventId } of endpoint.events(http, call)) {
        const json = dialect.event(resultOf(id, parseJson(data)));
        yield eventId === undefined ? { json } : { json, id: eventId };
      }
    },
    close: () => {},
  };
}

function resultOf(id: number, answer: unknown): unknown {
  // An error that came up before the request was read has null for its id; some agents leave it out.
  const answered = isObject(answer) ? (answer['id'] ?? id) : id;
  if (answered !== id && answered !== String(id)) {
    throw new A2AError(
      'INVALID_AGENT_RESPONSE',
      'Expected the answer to this request, found the answer to another one. Tell the operator of the agent.',
    );
  }
  if (isObject(answer) && isObject(answer['error'])) throw readJsonRpcError(answer['error']);
  if (isObject(answer) && 'result' in answer) return answer['result'];
  throw new A2AError(
    'INVALID_AGENT_RESPONSE',
    'Expected a JSON-RPC answer with a result or an error, found neither. Check that the URL leads to an A2A agent.',
  );
}
