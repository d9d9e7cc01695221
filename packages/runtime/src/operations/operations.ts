import type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@holdword/protocol';
import type { StreamFrame } from '../engine/recent-frames.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The A2A operations, independent of any binding. Requests have been validated by their schema; results are A2A 1.0
 * JSON values. Every failure is an A2AError. GetExtendedAgentCard is not among them, because the cards belong to the
 * server.
 */
export interface Operations {
  sendMessage(request: SendMessageRequest, context: RequestContext): Promise<SendMessageResponse>;
  /** Resolves when the stream may start, so that an error before that is an ordinary error response. */
  sendStreamingMessage(request: SendMessageRequest, context: RequestContext): Promise<EventStream>;
  getTask(request: GetTaskRequest, context: RequestContext): Promise<Task>;
  listTasks(request: ListTasksRequest, context: RequestContext): Promise<ListTasksResponse>;
  cancelTask(request: CancelTaskRequest, context: RequestContext): Promise<Task>;
  subscribeToTask(request: SubscribeToTaskRequest, context: RequestContext): Promise<EventStream>;
  createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    context: RequestContext,
  ): Promise<TaskPushNotificationConfig>;
  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    context: RequestContext,
  ): Promise<TaskPushNotificationConfig>;
  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    context: RequestContext,
  ): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }>;
  deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    context: RequestContext,
  ): Promise<void>;
}

/** The frames of a stream, pulled in batches: a slow reader blocks nothing and costs no memory (J5). */
export type EventStream = AsyncIterable<readonly StreamFrame[]>;

export type { StreamFrame };
