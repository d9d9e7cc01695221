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
import type { Call } from './call.ts';

/**
 * The A2A operations, free of any wire. Requests have been accepted by their schema; answers are A2A 1.0 JSON values.
 * Every failure is an A2AError. GetExtendedAgentCard is not among them: the serving edge knows the cards.
 */
export interface Operations {
  sendMessage(request: SendMessageRequest, call: Call): Promise<SendMessageResponse>;
  /** Resolves when the stream may begin, so that a refusal is still an ordinary error answer. */
  sendStreamingMessage(request: SendMessageRequest, call: Call): Promise<EventStream>;
  getTask(request: GetTaskRequest, call: Call): Promise<Task>;
  listTasks(request: ListTasksRequest, call: Call): Promise<ListTasksResponse>;
  cancelTask(request: CancelTaskRequest, call: Call): Promise<Task>;
  subscribeToTask(request: SubscribeToTaskRequest, call: Call): Promise<EventStream>;
  createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    call: Call,
  ): Promise<TaskPushNotificationConfig>;
  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    call: Call,
  ): Promise<TaskPushNotificationConfig>;
  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    call: Call,
  ): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }>;
  deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    call: Call,
  ): Promise<void>;
}

/** Frames of a stream, pulled in batches: whoever reads slowly holds nothing up and costs no memory (J5). */
export type EventStream = AsyncIterable<readonly StreamFrame[]>;

export type { StreamFrame };
