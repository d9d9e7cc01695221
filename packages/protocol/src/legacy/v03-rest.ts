import { asObject, isObject, withoutAbsent, type JsonObject } from '../basics/json.ts';
import { FOREIGN_FIELDS } from '../decode-request.ts';
import {
  decodeOperation,
  OPERATIONS,
  type DecodedOperation,
  type OperationName,
  type OperationRequest,
  type RequestKind,
  type TaskPushNotificationConfig,
} from '../operations.ts';
import { jsonName } from '../proto-json.ts';
import {
  decodeRestRequest,
  encodeRestRequest,
  parseRestBody,
  restRouteOf,
  type RestMatch,
  type RestRequest,
} from '../rest.ts';
import { notInV03, v03PushConfigToCore, withoutTenant } from './v03-codec.ts';
import { V03_PROTO_JSON } from './v03-proto-json.ts';

/** All paths of 0.3 over REST start with it. */
export const V03_REST_PREFIX = '/v1';

/** The requests that have a body in 0.3 over REST. The others are in path and query, as in 1.0. */
const BODIES: Partial<
  Record<RequestKind, { toCore(body: unknown): unknown; toV03(request: JsonObject): unknown }>
> = {
  send: {
    toCore: (body) => (isObject(body) ? V03_PROTO_JSON.requests.send.toCore(body) : body),
    toV03: V03_PROTO_JSON.requests.send.toV03,
  },
  pushConfig: {
    toCore: (body) => {
      // The specification shows the request of the procedure (7.5); some clients send the configuration alone.
      const { config, configId, pushNotificationConfig } = asObject(body);
      const given = pushNotificationConfig ?? asObject(config)['pushNotificationConfig'];
      return withoutAbsent({ id: configId, ...v03PushConfigToCore(given) });
    },
    toV03: (request) => V03_PROTO_JSON.values.pushConfig.toV03(request as TaskPushNotificationConfig),
  },
};

/** The body of a request, which only some operations have. */
export function parseV03RestBody({ operation }: RestMatch, body: string): unknown {
  return BODIES[OPERATIONS[operation].requestKind] === undefined
    ? undefined
    : withJsonNames(parseRestBody(body));
}

/** ProtoJSON may have the proto names of fields: `message_id`. They become those that the codec reads. */
function withJsonNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withJsonNames);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [
      jsonName(name),
      FOREIGN_FIELDS.has(name) ? content : withJsonNames(content),
    ]),
  );
}

/** Decodes a request of 0.3 over REST. `body` is the value of `parseV03RestBody`. */
export function decodeV03RestRequest(
  match: RestMatch,
  query: URLSearchParams,
  body: unknown,
): DecodedOperation {
  const { operation, fields } = match;
  const codec = BODIES[OPERATIONS[operation].requestKind];
  if (codec === undefined) return decodeRestRequest(match, query, '');
  const request = codec.toCore(body);
  return decodeOperation(operation, isObject(request) ? { ...request, ...fields } : request);
}

/** Encodes a request for an agent of 0.3. Throws UNSUPPORTED_OPERATION if 0.3 does not have the operation. */
export function encodeV03RestRequest<Name extends OperationName>(
  operation: Name,
  request: OperationRequest<Name>,
): RestRequest {
  const route = restRouteOf(operation, '0.3');
  if (route === undefined) throw notInV03(operation);
  const { verb, path, body } = encodeRestRequest(route, withoutTenant(request));
  const codec = BODIES[OPERATIONS[operation].requestKind];
  return {
    verb,
    path: `${V03_REST_PREFIX}${path}`,
    body: codec === undefined ? body : codec.toV03(request),
  };
}
