import { z } from 'zod';
import type { AgentCard } from './card/agent-card.ts';
import { decodeRequest } from './decode-request.ts';
import {
  isBareText,
  messageSchema,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  taskStateSchema,
} from './model.ts';
import { isObject, jsonObjectSchema, listOf, withoutEmpty } from './basics/json.ts';
import { readProtoJson, type UnknownFields } from './proto-json.ts';

/*
 * Every A2A operation, defined once: its request, the kind of value it answers with, and its names in each binding and
 * version. The bindings, the client and the reference are derived from this table.
 */

/** The longest id that a request may have: ids are stored with every event, and are names, not content. */
export const MOST_ID_CHARACTERS = 256;

const id = z.string().max(MOST_ID_CHARACTERS);
const tenant = id.optional();
const historyLength = z.int32().min(0).optional();
const pageSize = z.int32().min(1).max(100).optional();
const pageToken = z.string().optional();
const taskId = id.min(1);
/** An int64, which ProtoJSON writes as a string. Numbers beyond those of JavaScript are rounded: no task gets that far. */
const generation = z.number().refine(Number.isInteger, 'expected an integer').optional();

/** A message as a request may contain it. Messages of other agents, and stored ones, are read with fewer conditions. */
const givenMessageSchema: typeof messageSchema = messageSchema.safeExtend({
  messageId: id.min(1),
  contextId: id.optional(),
  taskId: id.optional(),
  referenceTaskIds: listOf(id).optional(),
});

export const taskPushNotificationConfigSchema = z
  .object({
    tenant,
    id: id.optional(),
    taskId: id.optional(),
    url: z.string().min(1),
    token: z.string().optional(),
    authentication: z.object({ scheme: z.string().min(1), credentials: z.string().optional() }).optional(),
  })
  .overwrite(withoutEmpty('tenant', 'id', 'taskId', 'token'));
/** Where and how an agent sends push notifications for a task. */
export type TaskPushNotificationConfig = z.infer<typeof taskPushNotificationConfigSchema>;

const sendMessageConfigurationSchema = z.object({
  acceptedOutputModes: listOf(z.string()).optional(),
  taskPushNotificationConfig: taskPushNotificationConfigSchema.optional(),
  historyLength,
  returnImmediately: z.boolean().optional(),
  /** A2A 1.1: reject the message unless its task has this generation. Ignored for a new task. */
  ifGenerationMatch: generation,
});
/** How a message is processed and answered. */
export type SendMessageConfiguration = z.infer<typeof sendMessageConfigurationSchema>;

export const sendMessageRequestSchema = z.object({
  tenant,
  message: givenMessageSchema,
  configuration: sendMessageConfigurationSchema.optional(),
  metadata: jsonObjectSchema.optional(),
});
/** The request of SendMessage and SendStreamingMessage. */
export type SendMessageRequest = z.infer<typeof sendMessageRequestSchema>;

const getTaskRequestSchema = z.object({
  tenant,
  id: taskId,
  historyLength,
  /** A2A 1.1: wait until the task is beyond this generation, for as long as the server allows. */
  currentGeneration: generation,
});
/** The request of GetTask. */
export type GetTaskRequest = z.infer<typeof getTaskRequestSchema>;

const listTasksRequestSchema = z
  .object({
    tenant,
    contextId: id.optional(),
    status: taskStateSchema.optional(),
    pageSize,
    pageToken,
    historyLength,
    /** Only tasks whose status changed then or later. */
    statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
    includeArtifacts: z.boolean().optional(),
  })
  .overwrite(withoutEmpty('contextId', 'pageToken'));
/** The request of ListTasks. */
export type ListTasksRequest = z.infer<typeof listTasksRequestSchema>;

const cancelTaskRequestSchema = z.object({ tenant, id: taskId, metadata: jsonObjectSchema.optional() });
/** The request of CancelTask. */
export type CancelTaskRequest = z.infer<typeof cancelTaskRequestSchema>;

const subscribeToTaskRequestSchema = z.object({ tenant, id: taskId });
/** The request of SubscribeToTask. */
export type SubscribeToTaskRequest = z.infer<typeof subscribeToTaskRequestSchema>;

const pushConfigKeySchema = z.object({ tenant, taskId, id: id.min(1) });
/** The request of GetTaskPushNotificationConfig. */
export type GetTaskPushNotificationConfigRequest = z.infer<typeof pushConfigKeySchema>;
/** The request of DeleteTaskPushNotificationConfig. */
export type DeleteTaskPushNotificationConfigRequest = GetTaskPushNotificationConfigRequest;

const listPushConfigsRequestSchema = z
  .object({ tenant, taskId, pageSize, pageToken })
  .overwrite(withoutEmpty('pageToken'));
/** The request of ListTaskPushNotificationConfigs. */
export type ListTaskPushNotificationConfigsRequest = z.infer<typeof listPushConfigsRequestSchema>;

const getExtendedAgentCardRequestSchema = z.object({ tenant });
/** The request of GetExtendedAgentCard. */
export type GetExtendedAgentCardRequest = z.infer<typeof getExtendedAgentCardRequestSchema>;

/** A page of tasks, the most recent status first. */
export interface ListTasksResponse {
  tasks: Task[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/** The values that operations answer with, by their kind. Codecs are written per kind, not per operation. */
export interface Values {
  task: Task;
  /** A task, or a message if the agent answers without one. */
  sendResponse: SendMessageResponse;
  taskPage: ListTasksResponse;
  pushConfig: TaskPushNotificationConfig;
  pushConfigPage: { configs: TaskPushNotificationConfig[]; nextPageToken: string };
  card: AgentCard;
  nothing: void;
  /** A stream; the value is one of its events. */
  events: StreamResponse;
}
export type ValueKind = keyof Values;

/** What a request is about. 0.3 writes all requests of one kind in the same way. */
export type RequestKind = 'send' | 'task' | 'tasks' | 'pushConfig' | 'pushConfigKey' | 'card';

export type RestVerb = 'GET' | 'POST' | 'DELETE';

export interface RestRoute {
  /** Preferred first. */
  readonly verbs: readonly RestVerb[];
  /** Below the mount of the binding, without the optional tenant. `{name}` stands for that field of the request. */
  readonly path: string;
}

/** An A2A operation, on all bindings. */
export interface OperationDefinition {
  /** The JSON-RPC method and the gRPC procedure of 1.0. */
  readonly method: string;
  readonly request: z.ZodObject;
  readonly requestKind: RequestKind;
  readonly response: ValueKind;
  /** Recognizes a request that the schema would return unchanged, at a fraction of the schema's cost. */
  readonly isPlain?: (request: unknown) => boolean;
  /**
   * What happens to fields that the request does not have.
   * @default 'ignore'
   */
  readonly unknownFields?: UnknownFields;
  /** It changes nothing, so a client may repeat it. */
  readonly readOnly: boolean;
  readonly rest: RestRoute;
  /** The capability that an agent declares on its card if it supports the operation. */
  readonly capability?: 'pushNotifications' | 'extendedAgentCard';
  /** Its names in 0.3, if that version has the operation. */
  readonly v03?: {
    /** The JSON-RPC method. */
    readonly method: string;
    /** The gRPC procedure. */
    readonly procedure: string;
    /** Below `/v1`, if the route is not that of 1.0. */
    readonly rest?: RestRoute;
  };
}

const TABLE = {
  sendMessage: {
    method: 'SendMessage',
    request: sendMessageRequestSchema,
    isPlain: isPlainSend,
    requestKind: 'send',
    response: 'sendResponse',
    readOnly: false,
    rest: { verbs: ['POST'], path: 'message:send' },
    v03: { method: 'message/send', procedure: 'SendMessage' },
  },
  sendStreamingMessage: {
    method: 'SendStreamingMessage',
    request: sendMessageRequestSchema,
    isPlain: isPlainSend,
    requestKind: 'send',
    response: 'events',
    readOnly: false,
    rest: { verbs: ['POST'], path: 'message:stream' },
    v03: { method: 'message/stream', procedure: 'SendStreamingMessage' },
  },
  getTask: {
    method: 'GetTask',
    request: getTaskRequestSchema,
    requestKind: 'task',
    response: 'task',
    readOnly: true,
    rest: { verbs: ['GET'], path: 'tasks/{id}' },
    v03: { method: 'tasks/get', procedure: 'GetTask' },
  },
  listTasks: {
    method: 'ListTasks',
    request: listTasksRequestSchema,
    unknownFields: 'reject',
    requestKind: 'tasks',
    response: 'taskPage',
    readOnly: true,
    rest: { verbs: ['GET'], path: 'tasks' },
  },
  cancelTask: {
    method: 'CancelTask',
    request: cancelTaskRequestSchema,
    requestKind: 'task',
    response: 'task',
    readOnly: false,
    rest: { verbs: ['POST'], path: 'tasks/{id}:cancel' },
    v03: { method: 'tasks/cancel', procedure: 'CancelTask' },
  },
  subscribeToTask: {
    method: 'SubscribeToTask',
    request: subscribeToTaskRequestSchema,
    requestKind: 'task',
    response: 'events',
    readOnly: true,
    // The text of the specification says POST, its a2a.proto says GET: both are supported. 0.3 says GET.
    rest: { verbs: ['POST', 'GET'], path: 'tasks/{id}:subscribe' },
    v03: {
      method: 'tasks/resubscribe',
      procedure: 'TaskSubscription',
      rest: { verbs: ['GET', 'POST'], path: 'tasks/{id}:subscribe' },
    },
  },
  createTaskPushNotificationConfig: {
    method: 'CreateTaskPushNotificationConfig',
    request: taskPushNotificationConfigSchema.safeExtend({ taskId }),
    requestKind: 'pushConfig',
    response: 'pushConfig',
    readOnly: false,
    rest: { verbs: ['POST'], path: 'tasks/{taskId}/pushNotificationConfigs' },
    capability: 'pushNotifications',
    v03: { method: 'tasks/pushNotificationConfig/set', procedure: 'CreateTaskPushNotificationConfig' },
  },
  getTaskPushNotificationConfig: {
    method: 'GetTaskPushNotificationConfig',
    request: pushConfigKeySchema,
    requestKind: 'pushConfigKey',
    response: 'pushConfig',
    readOnly: true,
    rest: { verbs: ['GET'], path: 'tasks/{taskId}/pushNotificationConfigs/{id}' },
    capability: 'pushNotifications',
    v03: { method: 'tasks/pushNotificationConfig/get', procedure: 'GetTaskPushNotificationConfig' },
  },
  listTaskPushNotificationConfigs: {
    method: 'ListTaskPushNotificationConfigs',
    request: listPushConfigsRequestSchema,
    requestKind: 'pushConfigKey',
    response: 'pushConfigPage',
    readOnly: true,
    rest: { verbs: ['GET'], path: 'tasks/{taskId}/pushNotificationConfigs' },
    capability: 'pushNotifications',
    v03: { method: 'tasks/pushNotificationConfig/list', procedure: 'ListTaskPushNotificationConfig' },
  },
  deleteTaskPushNotificationConfig: {
    method: 'DeleteTaskPushNotificationConfig',
    request: pushConfigKeySchema,
    requestKind: 'pushConfigKey',
    response: 'nothing',
    readOnly: false,
    rest: { verbs: ['DELETE'], path: 'tasks/{taskId}/pushNotificationConfigs/{id}' },
    capability: 'pushNotifications',
    v03: { method: 'tasks/pushNotificationConfig/delete', procedure: 'DeleteTaskPushNotificationConfig' },
  },
  getExtendedAgentCard: {
    method: 'GetExtendedAgentCard',
    request: getExtendedAgentCardRequestSchema,
    requestKind: 'card',
    response: 'card',
    readOnly: true,
    rest: { verbs: ['GET'], path: 'extendedAgentCard' },
    capability: 'extendedAgentCard',
    v03: {
      method: 'agent/getAuthenticatedExtendedCard',
      procedure: 'GetAgentCard',
      rest: { verbs: ['GET'], path: 'card' },
    },
  },
} as const satisfies Record<string, OperationDefinition>;

/** The name of an A2A operation. */
export type OperationName = keyof typeof TABLE;

/** Every A2A operation by its name. */
export const OPERATIONS: Readonly<Record<OperationName, OperationDefinition>> = TABLE;

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(TABLE).filter(isOperationName);

function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(TABLE, name);
}

type OperationRequests = { [Name in OperationName]: z.infer<(typeof TABLE)[Name]['request']> };

/** A validated request of an operation. */
export type OperationRequest<Name extends OperationName> = OperationRequests[Name];

/** The kind of value that an operation answers with. */
export type ResponseKind<Name extends OperationName> = (typeof TABLE)[Name]['response'];

/** What an operation answers with; for streams, one of its events. */
export type OperationResponse<Name extends OperationName> = Values[ResponseKind<Name>];

/** The operations that answer with a stream. */
export type StreamingOperation = {
  [Name in OperationName]: ResponseKind<Name> extends 'events' ? Name : never;
}[OperationName];

export function isStreaming(operation: OperationName): operation is StreamingOperation {
  return OPERATIONS[operation].response === 'events';
}

/** The kind of value, by which codecs are chosen. */
export function responseKind<Name extends OperationName>(operation: Name): ResponseKind<Name> {
  return TABLE[operation].response;
}

/** An operation with its validated request: what every binding decodes a call to. */
export type DecodedOperation<Names extends OperationName = OperationName> = {
  [Name in Names]: { readonly operation: Name; readonly request: OperationRequests[Name] };
}[Names];

const DECODERS: {
  [Name in OperationName]: {
    request: z.ZodType<OperationRequests[Name]>;
    isPlain?: (request: unknown) => request is OperationRequests[Name];
    unknownFields?: UnknownFields;
  };
} = TABLE;

/** Validates the request of an operation, or throws INVALID_PARAMS. */
export function decodeOperation<Name extends OperationName>(
  operation: Name,
  request: unknown,
): DecodedOperation<Name> {
  const { request: schema, isPlain, unknownFields } = DECODERS[operation];
  if (isPlain?.(request) === true) return { operation, request };
  return { operation, request: decodeRequest(schema, readProtoJson(schema, request, unknownFields)) };
}

const PLAIN_FIELDS: ReadonlySet<string> = new Set(['messageId', 'contextId', 'taskId', 'role', 'parts']);

/**
 * Whether a request sends plain text and nothing else, as most do. The schema would return it unchanged, and leave objects
 * behind that outlive the young generation: a fifth of a send's CPU time (docs/decisions/2026-11-17-measured-optimisations.md).
 */
export function isPlainSend(request: unknown): request is SendMessageRequest {
  return isObject(request) && Object.keys(request).length === 1 && isPlainMessage(request['message']);
}

function isPlainMessage(message: unknown): boolean {
  if (!isObject(message)) return false;
  for (const field of Object.keys(message)) if (!PLAIN_FIELDS.has(field)) return false;
  const { messageId, contextId, taskId: task, role, parts } = message;
  return (
    isName(messageId) &&
    (contextId === undefined || isName(contextId)) &&
    (task === undefined || isName(task)) &&
    (role === 'ROLE_USER' || role === 'ROLE_AGENT') &&
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every(isBareText)
  );
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MOST_ID_CHARACTERS;
}
