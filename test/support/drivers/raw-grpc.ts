import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { decodeSendResponse, decodeStreamResponse, decodeTask, decodeTaskList } from './decode-response.ts';
import type { Driver, DriverTarget, StreamedEvent } from './driver.ts';
import { GrpcConnection } from './grpc-connection.ts';

async function* events(responses: AsyncIterable<StreamResponse>): AsyncGenerator<StreamedEvent> {
  for await (const response of responses) {
    yield { event: decodeStreamResponse(StreamResponse.toJSON(response)) };
  }
}

/** gRPC of A2A 1.0 on a plain channel; only the message codecs are from the SDK. */
export function openRawGrpc(target: DriverTarget): Driver {
  const connection = new GrpcConnection(target, { 'a2a-version': '1.0' });
  return {
    name: 'gRPC 1.0, raw',
    binding: 'GRPC',
    version: '1.0',
    client: 'raw',
    send: async (request, options) =>
      decodeSendResponse(
        SendMessageResponse.toJSON(
          await connection.call(A2AService.sendMessage, SendMessageRequest.fromJSON(request), options),
        ),
      ),
    stream: (request, options) =>
      events(
        connection.stream(A2AService.sendStreamingMessage, SendMessageRequest.fromJSON(request), options),
      ),
    get: async (request, options) =>
      decodeTask(
        Task.toJSON(await connection.call(A2AService.getTask, GetTaskRequest.fromJSON(request), options)),
      ),
    list: async (request, options) => {
      const { tasks, nextPageToken, pageSize, totalSize } = await connection.call(
        A2AService.listTasks,
        ListTasksRequest.fromJSON(request),
        options,
      );
      return decodeTaskList({
        tasks: tasks.map((task) => Task.toJSON(task)),
        nextPageToken,
        pageSize,
        totalSize,
      });
    },
    cancel: async (request, options) =>
      decodeTask(
        Task.toJSON(
          await connection.call(A2AService.cancelTask, CancelTaskRequest.fromJSON(request), options),
        ),
      ),
    subscribe: (request, options) =>
      events(
        connection.stream(A2AService.subscribeToTask, SubscribeToTaskRequest.fromJSON(request), options),
      ),
    createPushConfig: async (request, options) =>
      TaskPushNotificationConfig.toJSON(
        await connection.call(
          A2AService.createTaskPushNotificationConfig,
          TaskPushNotificationConfig.fromJSON(request),
          options,
        ),
      ),
    getPushConfig: async (request, options) =>
      TaskPushNotificationConfig.toJSON(
        await connection.call(
          A2AService.getTaskPushNotificationConfig,
          GetTaskPushNotificationConfigRequest.fromJSON(request),
          options,
        ),
      ),
    listPushConfigs: async (request, options) =>
      ListTaskPushNotificationConfigsResponse.toJSON(
        await connection.call(
          A2AService.listTaskPushNotificationConfigs,
          ListTaskPushNotificationConfigsRequest.fromJSON(request),
          options,
        ),
      ),
    deletePushConfig: (request, options) =>
      connection.call(
        A2AService.deleteTaskPushNotificationConfig,
        DeleteTaskPushNotificationConfigRequest.fromJSON(request),
        options,
      ),
    extendedCard: async (request, options) =>
      AgentCard.toJSON(
        await connection.call(
          A2AService.getExtendedAgentCard,
          GetExtendedAgentCardRequest.fromJSON(request),
          options,
        ),
      ),
    close: () => connection.close(),
  };
}
