import { A2AError } from '../errors/a2a-error.ts';
import { asObject, withoutAbsent, type JsonObject } from '../basics/json.ts';
import { isTerminal, type TaskState, taskStateSchema } from '../model.ts';
import {
  OPERATIONS,
  type OperationName,
  type RequestKind,
  type TaskPushNotificationConfig,
  type ValueKind,
  type Values,
} from '../operations.ts';

/** 0.3 cannot list tasks. */
export type V03RequestKind = Exclude<RequestKind, 'tasks'>;
export type V03ValueKind = Exclude<ValueKind, 'taskPage'>;

/**
 * How a binding of A2A 0.3 writes the requests and values of 1.0. Results of `toCore` are not validated: they keep the
 * mistakes of what was received, so that the schemas of 1.0 find them.
 */
export interface V03Codec {
  readonly requests: Readonly<
    Record<
      V03RequestKind,
      { readonly toCore: (given: JsonObject) => unknown; readonly toV03: (request: JsonObject) => JsonObject }
    >
  >;
  readonly values: {
    readonly [Kind in V03ValueKind]: {
      readonly toCore: (given: unknown) => unknown;
      readonly toV03: (value: Values[Kind]) => unknown;
    };
  };
}

/** How a binding of 0.3 writes one operation. The value is of the kind that the operation answers with. */
export interface V03OperationCodec {
  readonly request: V03Codec['requests'][V03RequestKind];
  readonly value: {
    readonly toCore: (given: unknown) => unknown;
    readonly toV03: (value: unknown) => unknown;
  };
}

/** Throws UNSUPPORTED_OPERATION if 0.3 does not have the operation. */
export function v03Operation(codec: V03Codec, operation: OperationName): V03OperationCodec {
  const { v03, requestKind, response } = OPERATIONS[operation];
  if (v03 === undefined || requestKind === 'tasks' || response === 'taskPage') throw notInV03(operation);
  return {
    request: codec.requests[requestKind],
    value: codec.values[response] as V03OperationCodec['value'],
  };
}

export function notInV03(operation: OperationName): A2AError {
  const { method } = OPERATIONS[operation];
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `The agent speaks A2A 0.3, which does not support ${method}. Use an agent that speaks A2A 1.0.`,
  );
}

/** Converts a push configuration of 0.3, which is the same over JSON-RPC and REST. */
export function v03PushConfigToCore(value: unknown): JsonObject {
  const { id, url, token, authentication } = asObject(value);
  return withoutAbsent({
    id,
    url,
    token,
    authentication: authentication === undefined ? undefined : v03AuthenticationToCore(authentication),
  });
}

/** 0.3 has a list of schemes, 1.0 has one. */
function v03AuthenticationToCore(value: unknown): unknown {
  const { schemes, credentials } = asObject(value);
  return withoutAbsent({ scheme: Array.isArray(schemes) ? schemes[0] : schemes, credentials });
}

export function corePushConfigToV03({
  id,
  url,
  token,
  authentication,
}: TaskPushNotificationConfig): JsonObject {
  return withoutAbsent({
    id,
    url,
    token,
    authentication:
      authentication &&
      withoutAbsent({ schemes: [authentication.scheme], credentials: authentication.credentials }),
  });
}

/** Whether a 0.3 update is the last one of its turn: the task has ended or waits for input. */
export function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED';
}

/** 0.3 has no tenants. */
export function withoutTenant(request: JsonObject): JsonObject {
  const { tenant: _, ...others } = request;
  return others;
}

/** In 1.0 the state says whether an update is final; a state that 1.0 does not have cannot. */
export function finalOfUnknown({ state }: JsonObject, final: unknown): { final?: true } {
  return final === true && !taskStateSchema.safeParse(state).success ? { final } : {};
}
