import type { OperationName, ProtocolVersion } from '@holdword/protocol';
import {
  encodeRestRequest,
  encodeV03RestRequest,
  isObject,
  OPERATIONS,
  readHttpError,
  V03_PROTO_JSON,
  v03Operation,
  type OperationRequest,
  trimEndOf,
} from '@holdword/protocol/internal';
import { HttpEndpoint, type HttpRequest } from './http-endpoint.ts';
import type { PeerCallOptions } from './peer.ts';
import { serviceHeaders, type Wire, type WireOptions } from './wire.ts';

export function openRestWire(options: WireOptions): Wire {
  const { version } = options;
  const endpoint = new HttpEndpoint(options);
  const mount = mountOf(options.url, version);

  const encode = <Name extends OperationName>(
    operation: Name,
    request: OperationRequest<Name>,
    call: PeerCallOptions,
  ): HttpRequest => {
    const { rest, response } = OPERATIONS[operation];
    const { verb, path, body } =
      version === '0.3' ? encodeV03RestRequest(operation, request) : encodeRestRequest(rest, request);
    return {
      url: `${mount}${path}`,
      method: verb,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...serviceHeaders(options, call, 'Last-Event-ID'),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      repeatable: verb === 'GET' && response !== 'events',
      operation,
    };
  };

  /** A response, or a frame of a stream, as JSON of 1.0. */
  const decode = (operation: OperationName, answer: unknown): unknown =>
    version === '0.3' ? v03Operation(V03_PROTO_JSON, operation).value.toCore(answer) : answer;

  return {
    call: async (operation, request, call) =>
      decode(operation, await endpoint.callJson(encode(operation, request, call), call)),
    stream: async function* (operation, request, call) {
      for await (const { type, data, json, id } of endpoint.events(encode(operation, request, call), call)) {
        // The official Go SDK does not name the type of the event.
        if (type === 'error' || (isObject(json) && isObject(json['error']))) throw readHttpError(500, data);
        yield { json: decode(operation, json), id };
      }
    },
    close: () => {},
  };
}

/** URLs in 0.3 cards may or may not include the `/v1` that all paths start with. */
function mountOf(url: string, version: ProtocolVersion): string {
  const mount = trimEndOf(url, '/');
  return version === '0.3' ? mount.replace(/\/v1$/, '') : mount;
}
