import type { z } from 'zod';
import { decodeRequest } from './decode-request.ts';
import { isPlainSend } from './model/plain-send.ts';
import {
  cancelTaskRequestSchema,
  createTaskPushNotificationConfigRequestSchema,
  deleteTaskPushNotificationConfigRequestSchema,
  getExtendedAgentCardRequestSchema,
  getTaskPushNotificationConfigRequestSchema,
  getTaskRequestSchema,
  listTaskPushNotificationConfigsRequestSchema,
  listTasksRequestSchema,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
} from './model/requests.ts';

interface OperationEntry {
  /** The JSON-RPC method and gRPC procedure of 1.0. */
  readonly method: string;
  /** The JSON-RPC method of 0.3, if that version has the operation. */
  readonly legacyMethod?: string;
  readonly request: z.ZodType;
  /** Recognizes a request that the schema would return unchanged, at a fraction of the schema's cost. */
  readonly isPlain?: (request: unknown) => boolean;
  /** The response is a stream of StreamResponses. */
  readonly streaming: boolean;
}

/** Every A2A operation: its names on the wire, its request and whether it streams. */
export const OPERATION_TABLE = {
  sendMessage: {
    method: 'SendMessage',
    legacyMethod: 'message/send',
    request: sendMessageRequestSchema,
    isPlain: isPlainSend,
    streaming: false,
  },
  sendStreamingMessage: {
    method: 'SendStreamingMessage',
    legacyMethod: 'message/stream',
    request: sendMessageRequestSchema,
    isPlain: isPlainSend,
    streaming: true,
  },
  getTask: {
    method: 'GetTask',
    legacyMethod: 'tasks/get',
    request: getTaskRequestSchema,
    streaming: false,
  },
  listTasks: {
    method: 'ListTasks',
    request: listTasksRequestSchema,
    streaming: false,
  },
  cancelTask: {
    method: 'CancelTask',
    legacyMethod: 'tasks/cancel',
    request: cancelTaskRequestSchema,
    streaming: false,
  },
  subscribeToTask: {
    method: 'SubscribeToTask',
    legacyMethod: 'tasks/resubscribe',
    request: subscribeToTaskRequestSchema,
    streaming: true,
  },
  createTaskPushNotificationConfig: {
    method: 'CreateTaskPushNotificationConfig',
    legacyMethod: 'tasks/pushNotificationConfig/set',
    request: createTaskPushNotificationConfigRequestSchema,
    streaming: false,
  },
  getTaskPushNotificationConfig: {
    method: 'GetTaskPushNotificationConfig',
    legacyMethod: 'tasks/pushNotificationConfig/get',
    request: getTaskPushNotificationConfigRequestSchema,
    streaming: false,
  },
  listTaskPushNotificationConfigs: {
    method: 'ListTaskPushNotificationConfigs',
    legacyMethod: 'tasks/pushNotificationConfig/list',
    request: listTaskPushNotificationConfigsRequestSchema,
    streaming: false,
  },
  deleteTaskPushNotificationConfig: {
    method: 'DeleteTaskPushNotificationConfig',
    legacyMethod: 'tasks/pushNotificationConfig/delete',
    request: deleteTaskPushNotificationConfigRequestSchema,
    streaming: false,
  },
  getExtendedAgentCard: {
    method: 'GetExtendedAgentCard',
    legacyMethod: 'agent/getAuthenticatedExtendedCard',
    request: getExtendedAgentCardRequestSchema,
    streaming: false,
  },
} as const satisfies Record<string, OperationEntry>;

/** The name of an A2A operation. */
export type OperationName = keyof typeof OPERATION_TABLE;

type OperationRequests = {
  [Name in OperationName]: z.infer<(typeof OPERATION_TABLE)[Name]['request']>;
};

/** A validated request of an operation. */
export type OperationRequest<Name extends OperationName> = OperationRequests[Name];

/** An operation with its validated request: what every binding decodes a call to. */
export type DecodedOperation<Names extends OperationName = OperationName> = {
  [Name in Names]: { readonly operation: Name; readonly request: OperationRequests[Name] };
}[Names];

const DECODERS: {
  [Name in OperationName]: {
    request: z.ZodType<OperationRequests[Name]>;
    isPlain?: (request: unknown) => request is OperationRequests[Name];
  };
} = OPERATION_TABLE;

/** Validates the request of an operation, or throws INVALID_PARAMS. */
export function decodeOperation<Name extends OperationName>(
  operation: Name,
  request: unknown,
): DecodedOperation<Name> {
  const { request: schema, isPlain } = DECODERS[operation];
  return { operation, request: isPlain?.(request) === true ? request : decodeRequest(schema, request) };
}

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATION_TABLE).filter(isOperationName);

function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(OPERATION_TABLE, name);
}
