import { A2AError } from '@holdword/protocol';
import {
  coreSendToV03,
  OPERATION_TABLE,
  v03CardToCore,
  v03EventToCore,
  v03TaskToCore,
  type OperationRequest,
} from '@holdword/protocol/internal';
import type { StreamingOperation, UnaryOperation } from '../wire.ts';

type Operation = UnaryOperation | StreamingOperation;

/** How one version of A2A maps its operations to JSON-RPC. */
export interface JsonRpcDialect {
  /** Throws an A2AError if the version does not have the operation. */
  method(operation: Operation): string;
  params<Name extends Operation>(operation: Name, request: OperationRequest<Name>): unknown;
  /** The result of a unary request as JSON of 1.0. */
  answer(operation: UnaryOperation, result: unknown): unknown;
  /** The result in a frame of a stream as JSON of 1.0. */
  event(result: unknown): unknown;
}

export const currentDialect: JsonRpcDialect = {
  method: (operation) => OPERATION_TABLE[operation].method,
  params: (_operation, request) => request,
  answer: (_operation, result) => result,
  event: (result) => result,
};

export const legacyDialect: JsonRpcDialect = {
  method: (operation) => {
    const entry = OPERATION_TABLE[operation];
    if ('legacyMethod' in entry) return entry.legacyMethod;
    throw notInLegacy(entry.method);
  },
  params: (_operation, request) => {
    if ('message' in request) return coreSendToV03(request);
    const { tenant: _tenant, ...params } = request;
    return params;
  },
  answer: (operation, result) => {
    switch (operation) {
      case 'sendMessage':
        return v03EventToCore(result);
      case 'getExtendedAgentCard':
        return v03CardToCore(result);
      case 'getTask':
      case 'cancelTask':
      case 'listTasks':
      default:
        return v03TaskToCore(result);
    }
  },
  event: v03EventToCore,
};

export function notInLegacy(operation: string): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `The agent speaks A2A 0.3, which does not support ${operation}. Use an agent that speaks A2A 1.0.`,
  );
}
