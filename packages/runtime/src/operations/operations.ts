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
import type { StreamFrame } from '../engine/stream-frame.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The A2A operations, free of any wire. Requests have been accepted by their schema; answers are A2A 1.0 JSON values.
 * Every failure is an A2AError. GetExtendedAgentCard is not among them: the serving edge knows the cards.
 */
export interface Operations {
  sendMessage(request: SendMessageRequest, context: RequestContext): Promise<SendMessageResponse>;
  /** Resolves when the stream may begin, so that a refusal is still an ordinary error answer. */
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

/** Frames of a stream, pulled in batches: whoever reads slowly holds nothing up and costs no memory (J5). */
export type EventStream = AsyncIterable<readonly StreamFrame[]>;

export type { StreamFrame };
