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

/** Operations that change nothing. */
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
  // An error that occurred before the request was parsed has a null id; some agents omit it.
  const answered = isObject(answer) ? (answer['id'] ?? id) : id;
  if (answered !== id && answered !== String(id)) {
    throw new A2AError(
      'INVALID_AGENT_RESPONSE',
      "The agent's JSON-RPC response has the id of another request. Report this to its operator.",
    );
  }
  if (isObject(answer) && isObject(answer['error'])) throw readJsonRpcError(answer['error']);
  if (isObject(answer) && 'result' in answer) return answer['result'];
  throw new A2AError(
    'INVALID_AGENT_RESPONSE',
    "The agent's JSON-RPC response has neither a result nor an error. Check that its URL points to an A2A agent.",
  );
}
