import type { ProtocolVersion } from '@holdword/protocol';
import {
  coreSendToV03Proto,
  v03CardToCore,
  v03ProtoEventToCore,
  v03ProtoTaskToCore,
  type OperationRequest,
} from '@holdword/protocol/internal';
import { notInLegacy } from '../json-rpc/json-rpc-dialect.ts';
import type { StreamingOperation, UnaryOperation } from '../wire.ts';
import { restRoute, type RestRoute } from './rest-route.ts';

type Operation = UnaryOperation | StreamingOperation;

/** How one version of A2A maps its operations to HTTP+JSON. */
export interface RestDialect {
  /** Throws an A2AError if the version does not have the operation. */
  route<Name extends Operation>(operation: Name, request: OperationRequest<Name>): RestRoute;
  /** A response body as JSON of 1.0. */
  answer(operation: UnaryOperation, body: unknown): unknown;
  /** A frame of a stream as JSON of 1.0. */
  event(frame: unknown): unknown;
}

const currentDialect: RestDialect = {
  route: restRoute,
  answer: (_operation, body) => body,
  event: (frame) => frame,
};

/** 0.3 has its paths under `/v1`, a different path for the card, no tenants, and GET for subscriptions. */
const legacyDialect: RestDialect = {
  route: (operation, request) => {
    if (operation === 'listTasks') throw notInLegacy('ListTasks');
    if (operation === 'getExtendedAgentCard') return { verb: 'GET', path: '/v1/card' };
    const { verb, path, body } = restRoute(operation, { ...request, tenant: undefined });
    if ('message' in request) return { verb, path: `/v1${path}`, body: coreSendToV03Proto(request) };
    if (operation === 'subscribeToTask') return { verb: 'GET', path: `/v1${path}` };
    return { verb, path: `/v1${path}`, ...(body && { body }) };
  },
  answer: (operation, body) => {
    switch (operation) {
      case 'sendMessage':
        return v03ProtoEventToCore(body);
      case 'getExtendedAgentCard':
        return v03CardToCore(body);
      case 'getTask':
      case 'cancelTask':
      case 'listTasks':
      default:
        return v03ProtoTaskToCore(body);
    }
  },
  event: v03ProtoEventToCore,
};

export function restDialect(version: ProtocolVersion): RestDialect {
  return version === '1.0' ? currentDialect : legacyDialect;
}
