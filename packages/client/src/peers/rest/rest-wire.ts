import type { ProtocolVersion } from '@holdword/protocol';
import { readHttpError } from '@holdword/protocol/internal';
import {
  HttpEndpoint,
  parseJson,
  type HttpRequest,
  type HttpEndpointOptions,
} from '../http/http-endpoint.ts';
import type { PeerCallOptions } from '../peer.ts';
import { serviceHeaders } from '../service-headers.ts';
import type { Wire } from '../wire.ts';
import { restDialect } from './rest-dialect.ts';
import type { RestRoute } from './rest-route.ts';

export interface RestWireOptions extends HttpEndpointOptions {
  url: string;
  version: ProtocolVersion;
  extensions: readonly string[];
}

export function openRestWire(options: RestWireOptions): Wire {
  const { version, extensions } = options;
  const endpoint = new HttpEndpoint(options);
  const dialect = restDialect(version);
  const mount = mountOf(options.url, version);

  const request = ({ verb, path, body }: RestRoute, call: PeerCallOptions): HttpRequest => ({
    url: `${mount}${path}`,
    method: verb,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...serviceHeaders(version, extensions, call, 'Last-Event-ID'),
    },
    ...(body && { body: JSON.stringify(body) }),
    repeatable: verb === 'GET',
  });

  return {
    call: async (operation, params, call) => {
      const http = request(dialect.route(operation, params), call);
      return dialect.answer(operation, await endpoint.callJson(http, call));
    },
    stream: async function* (operation, params, call) {
      const http = { ...request(dialect.route(operation, params), call), repeatable: false };
      for await (const { type, data, id } of endpoint.events(http, call)) {
        if (type === 'error') throw readHttpError(500, data);
        const json = dialect.event(parseJson(data));
        yield id === undefined ? { json } : { json, id };
      }
    },
    close: () => {},
  };
}

/** URLs in 0.3 cards may or may not include the `/v1` that all paths start with. */
function mountOf(url: string, version: ProtocolVersion): string {
  const mount = url.replace(/\/+$/, '');
  return version === '0.3' ? mount.replace(/\/v1$/, '') : mount;
}
