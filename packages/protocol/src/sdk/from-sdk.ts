import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  SendMessageRequest,
  StreamResponse as SdkStreamResponse,
  SubscribeToTaskRequest,
  Task as SdkTask,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { streamResponseSchema, type StreamResponse } from '../model/stream-response.ts';
import { taskSchema, type Task } from '../model/task.ts';
import { decodeOperation, type DecodedOperation, type OperationName } from '../operation-table.ts';

/** The SDK's request of each operation. */
export interface SdkRequests {
  sendMessage: SendMessageRequest;
  sendStreamingMessage: SendMessageRequest;
  getTask: GetTaskRequest;
  listTasks: ListTasksRequest;
  cancelTask: CancelTaskRequest;
  subscribeToTask: SubscribeToTaskRequest;
  createTaskPushNotificationConfig: TaskPushNotificationConfig;
  getTaskPushNotificationConfig: GetTaskPushNotificationConfigRequest;
  listTaskPushNotificationConfigs: ListTaskPushNotificationConfigsRequest;
  deleteTaskPushNotificationConfig: DeleteTaskPushNotificationConfigRequest;
  getExtendedAgentCard: GetExtendedAgentCardRequest;
}

const CODECS: { [Name in OperationName]: { toJSON(request: SdkRequests[Name]): unknown } } = {
  sendMessage: SendMessageRequest,
  sendStreamingMessage: SendMessageRequest,
  getTask: GetTaskRequest,
  listTasks: ListTasksRequest,
  cancelTask: CancelTaskRequest,
  subscribeToTask: SubscribeToTaskRequest,
  createTaskPushNotificationConfig: TaskPushNotificationConfig,
  getTaskPushNotificationConfig: GetTaskPushNotificationConfigRequest,
  listTaskPushNotificationConfigs: ListTaskPushNotificationConfigsRequest,
  deleteTaskPushNotificationConfig: DeleteTaskPushNotificationConfigRequest,
  getExtendedAgentCard: GetExtendedAgentCardRequest,
};

/**
 * Decodes a request received by one of the SDK's transports. The schemas are the same as for our own bindings: what the SDK
 * accepts (no role, no parts, numbers out of range) is rejected here.
 */
export function decodeSdkRequest<Name extends OperationName>(
  operation: Name,
  request: SdkRequests[Name],
): DecodedOperation<Name> {
  return decodeOperation(operation, CODECS[operation].toJSON(request));
}

/** The same for 0.3 over gRPC, whose numbers have no field presence: a history length of 0 means that it is missing. */
export function decodeLegacyGrpcRequest<Name extends OperationName>(
  operation: Name,
  request: SdkRequests[Name],
): DecodedOperation<Name> {
  return decodeSdkRequest(operation, withoutZeroHistory(request));
}

function withoutZeroHistory<Request extends object>(request: Request): Request {
  if ('historyLength' in request && request.historyLength === 0)
    return { ...request, historyLength: undefined };
  if (
    'configuration' in request &&
    typeof request.configuration === 'object' &&
    request.configuration !== null
  ) {
    return { ...request, configuration: withoutZeroHistory(request.configuration) };
  }
  return request;
}

/** Converts an event published by code written for the SDK. Throws a ZodError if it is invalid. */
export function fromSdkStreamResponse(response: SdkStreamResponse): StreamResponse {
  return streamResponseSchema.parse(SdkStreamResponse.toJSON(response));
}

/** Converts a task from code written for the SDK. Throws a ZodError if it is invalid. */
export function fromSdkTask(task: SdkTask): Task {
  return taskSchema.parse(SdkTask.toJSON(task));
}
