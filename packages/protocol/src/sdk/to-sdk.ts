import {
  AgentCard as SdkAgentCard,
  ListTaskPushNotificationConfigsResponse as SdkListConfigsResponse,
  ListTasksResponse as SdkListTasksResponse,
  Message as SdkMessage,
  SendMessageRequest as SdkSendMessageRequest,
  StreamResponse as SdkStreamResponse,
  Task as SdkTask,
  TaskPushNotificationConfig as SdkPushConfig,
  type Part as SdkPart,
} from '@a2a-js/sdk';
import type { AgentCard } from '../card/agent-card.ts';
import type { Message } from '../model/message.ts';
import type { Part } from '../model/part.ts';
import type { ListTasksResponse, SendMessageRequest, TaskPushNotificationConfig } from '../model/requests.ts';
import type { StreamResponse } from '../model/stream-response.ts';
import type { Task, TaskStatus } from '../model/task.ts';

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

export function toSdkPushNotificationConfig(config: TaskPushNotificationConfig): SdkPushConfig {
  return SdkPushConfig.fromJSON(config);
}

export function toSdkListPushNotificationConfigsResponse(response: {
  configs: readonly TaskPushNotificationConfig[];
  nextPageToken: string;
}): SdkListConfigsResponse {
  return SdkListConfigsResponse.fromJSON(response);
}

export function toSdkAgentCard(card: AgentCard): SdkAgentCard {
  return SdkAgentCard.fromJSON(card);
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
