import { A2AError, type OperationName } from '@holdword/protocol';
import {
  isObject,
  OPERATIONS,
  readJsonRpcError,
  V03_JSON,
  v03Operation,
  type OperationRequest,
} from '@holdword/protocol/internal';
import { ANSWER, HttpEndpoint, type HttpRequest } from './http-endpoint.ts';
import type { PeerCallOptions } from './peer.ts';
import { serviceHeaders, type Wire, type WireOptions } from './wire.ts';

export function openJsonRpcWire(options: WireOptions): Wire {
  const endpoint = new HttpEndpoint(options);
  let lastId = 0;

  const encode = <Name extends OperationName>(
    operation: Name,
    request: OperationRequest<Name>,
    call: PeerCallOptions,
  ): EncodedCall => {
    const id = (lastId += 1);
    const { method, v03, response, readOnly } = OPERATIONS[operation];
    const codec = options.version === '0.3' ? v03Operation(V03_JSON, operation) : undefined;
    const body = {
      jsonrpc: '2.0',
      id,
      method: codec === undefined ? method : v03?.method,
      params: codec === undefined ? request : codec.request.toV03(request),
    };
    return {
      http: {
        url: options.url,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...serviceHeaders(options, call, 'Last-Event-ID'),
        },
        body: JSON.stringify(body),
        repeatable: readOnly && response !== 'events',
      },
      decode: (answer, kind = 'response') => {
        const result = resultOf(id, answer, kind);
        return codec === undefined ? result : codec.value.toCore(result);
      },
    };
  };

  return {
    call: async (operation, request, call) => {
      const { http, decode } = encode(operation, request, call);
      return decode(await endpoint.callJson(http, call));
    },
    stream: async function* (operation, request, call) {
      const { http, decode } = encode(operation, request, call);
      for await (const { type, json, id } of endpoint.events(http, call)) {
        yield { json: decode(json, type === ANSWER ? 'response' : 'event'), id };
      }
    },
    close: () => {},
  };
}

interface EncodedCall {
  readonly http: HttpRequest;
  /** The result in a response, or in a frame of a stream, as JSON of 1.0. */
  readonly decode: (answer: unknown, kind?: AnswerKind) => unknown;
}

type AnswerKind = 'response' | 'event';

/** What streams events is an agent: its address is right. */
const NO_RESULT: Readonly<Record<AnswerKind, string>> = {
  response:
    "The agent's JSON-RPC response has neither a result nor an error. Check that its URL points to an A2A agent.",
  event: 'An event of the agent has neither a JSON-RPC result nor an error. Report this to its operator.',
};

function resultOf(id: number, answer: unknown, kind: AnswerKind): unknown {
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
  throw new A2AError('INVALID_AGENT_RESPONSE', NO_RESULT[kind]);
}
