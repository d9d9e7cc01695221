import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  AgentCard as SdkAgentCard,
  ListTasksResponse as SdkListTasksResponse,
  Message as SdkMessage,
  type Part as SdkPart,
  SendMessageRequest as SdkSendMessageRequest,
  SendMessageResponse as SdkSendMessageResponse,
  StreamResponse as SdkStreamResponse,
  Task as SdkTask,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  type Message,
  type Part,
  type StreamResponse,
  streamResponseSchema,
  type Task,
  taskSchema,
  type TaskStatus,
} from '../model.ts';
import {
  type DecodedOperation,
  decodeOperation,
  type ListTasksResponse,
  type OperationName,
  type SendMessageRequest,
  type ValueKind,
  type Values,
} from '../operations.ts';

interface SdkCodec {
  toJSON(message: unknown): unknown;
  fromJSON(json: unknown): unknown;
}

function codec<Request>(message: {
  toJSON(value: Request): unknown;
  fromJSON(json: unknown): Request;
}): SdkCodec {
  return {
    toJSON: (value) => message.toJSON(value as Request),
    fromJSON: (json) => message.fromJSON(json),
  };
}

const sendRequest: SdkCodec = {
  ...codec(SdkSendMessageRequest),
  fromJSON: (json) => toSdkSendMessageRequest(json as SendMessageRequest),
};

/** The SDK's request of each operation. */
export const SDK_REQUESTS: Readonly<Record<OperationName, SdkCodec>> = {
  sendMessage: sendRequest,
  sendStreamingMessage: sendRequest,
  getTask: codec(GetTaskRequest),
  listTasks: codec(ListTasksRequest),
  cancelTask: codec(CancelTaskRequest),
  subscribeToTask: codec(SubscribeToTaskRequest),
  createTaskPushNotificationConfig: codec(TaskPushNotificationConfig),
  getTaskPushNotificationConfig: codec(GetTaskPushNotificationConfigRequest),
  listTaskPushNotificationConfigs: codec(ListTaskPushNotificationConfigsRequest),
  deleteTaskPushNotificationConfig: codec(DeleteTaskPushNotificationConfigRequest),
  getExtendedAgentCard: codec(GetExtendedAgentCardRequest),
};

interface SdkValue<Value> {
  toSdk(value: Value): unknown;
  toJson(message: unknown): unknown;
}

function valueCodec<Value, Sdk>(
  message: { toJSON(value: Sdk): unknown; fromJSON(json: unknown): Sdk },
  toSdk: (value: Value) => unknown = (value) => message.fromJSON(value),
): SdkValue<Value> {
  return { toSdk, toJson: (value) => message.toJSON(value as Sdk) };
}

const valueCodecs: { readonly [Kind in ValueKind]: SdkValue<Values[Kind]> } = {
  task: valueCodec(SdkTask, toSdkTask),
  sendResponse: valueCodec(SdkSendMessageResponse, toSdkStreamResponse),
  taskPage: valueCodec(SdkListTasksResponse, toSdkListTasksResponse),
  pushConfig: valueCodec(TaskPushNotificationConfig),
  pushConfigPage: valueCodec(ListTaskPushNotificationConfigsResponse),
  card: valueCodec(SdkAgentCard),
  nothing: { toSdk: () => ({}), toJson: () => ({}) },
  events: valueCodec(SdkStreamResponse, toSdkStreamResponse),
};

/** The SDK's message of each kind of value. */
export const SDK_VALUES = valueCodecs as Readonly<Record<ValueKind, SdkValue<unknown>>>;

/**
 * Decodes a request received by one of the SDK's transports. The schemas are the same as for our own bindings: what the SDK
 * accepts (no role, no parts, numbers out of range) is rejected here.
 */
export function decodeSdkRequest<Name extends OperationName>(
  operation: Name,
  request: unknown,
): DecodedOperation<Name> {
  return decodeOperation(operation, SDK_REQUESTS[operation].toJSON(request));
}

/** Converts an event published by code written for the SDK. Throws a ZodError if it is invalid. */
export function fromSdkStreamResponse(response: SdkStreamResponse): StreamResponse {
  return streamResponseSchema.parse(SdkStreamResponse.toJSON(response));
}

/** Converts a task from code written for the SDK. Throws a ZodError if it is invalid. */
export function fromSdkTask(task: SdkTask): Task {
  return taskSchema.parse(SdkTask.toJSON(task));
}

/*
 * Converts A2A 1.0 JSON, which is what this project works with, to the SDK's objects. The SDK's `fromJSON` treats a data part
 * with null as an empty one, so those parts are restored afterwards.
 */

export function toSdkTask(task: Task): SdkTask {
  const sdkTask = SdkTask.fromJSON(task);
  restoreStatus(sdkTask.status, task.status);
  for (const [index, message] of (task.history ?? []).entries()) {
    restoreParts(sdkTask.history[index]?.parts, message.parts);
  }
  for (const [index, artifact] of (task.artifacts ?? []).entries()) {
    restoreParts(sdkTask.artifacts[index]?.parts, artifact.parts);
  }
  return sdkTask;
}

export function toSdkMessage(message: Message): SdkMessage {
  const sdkMessage = SdkMessage.fromJSON(message);
  restoreParts(sdkMessage.parts, message.parts);
  return sdkMessage;
}

export function toSdkSendMessageRequest(request: SendMessageRequest): SdkSendMessageRequest {
  return { ...SdkSendMessageRequest.fromJSON(request), message: toSdkMessage(request.message) };
}

export function toSdkStreamResponse(response: StreamResponse): SdkStreamResponse {
  if ('task' in response) return { payload: { $case: 'task', value: toSdkTask(response.task) } };
  if ('message' in response) return { payload: { $case: 'message', value: toSdkMessage(response.message) } };
  const sdkResponse = SdkStreamResponse.fromJSON(response);
  const { payload } = sdkResponse;
  if (payload?.$case === 'statusUpdate' && 'statusUpdate' in response) {
    restoreStatus(payload.value.status, response.statusUpdate.status);
  }
  if (payload?.$case === 'artifactUpdate' && 'artifactUpdate' in response) {
    restoreParts(payload.value.artifact?.parts, response.artifactUpdate.artifact.parts);
  }
  return sdkResponse;
}

export function toSdkListTasksResponse(response: ListTasksResponse): SdkListTasksResponse {
  return {
    ...SdkListTasksResponse.fromJSON({ ...response, tasks: [] }),
    tasks: response.tasks.map(toSdkTask),
  };
}

function restoreStatus(sdkStatus: SdkTask['status'], status: TaskStatus): void {
  if (status.message !== undefined) restoreParts(sdkStatus?.message?.parts, status.message.parts);
}

function restoreParts(sdkParts: SdkPart[] | undefined, parts: readonly Part[]): void {
  for (const [index, sdkPart] of (sdkParts ?? []).entries()) {
    if (sdkPart.content === undefined && parts[index]?.data === null) {
      sdkPart.content = { $case: 'data', value: null };
    }
  }
}
