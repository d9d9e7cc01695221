import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import type { JsonObject } from '@holdword/protocol';
import { decodeSendResponse, decodeStreamResponse, decodeTask } from './decode-response.ts';
import type { Driver, DriverTarget, StreamedEvent } from './driver.ts';
import { asText } from './json-objects.ts';
import { GrpcConnection } from './grpc-connection.ts';
import { unavailable } from './unavailable-operation.ts';
import { corePushConfigToV03Pb, coreSendToV03Pb, v03PbEventToCore, v03PbTaskToCore } from './v03-protobuf.ts';
import { v03PushConfigsToCore, v03PushConfigToCore } from './v03-push-config.ts';

type LegacyStreamResponse = ReturnType<typeof LegacyA2AService.sendStreamingMessage.responseDeserialize>;

async function* events(responses: AsyncIterable<LegacyStreamResponse>): AsyncGenerator<StreamedEvent> {
  for await (const response of responses) {
    yield { event: decodeStreamResponse(v03PbEventToCore(response)) };
  }
}

function taskName(id: unknown): string {
  return `tasks/${asText(id)}`;
}

function configName({ taskId, id }: JsonObject): string {
  return `${taskName(taskId)}/pushNotificationConfigs/${asText(id)}`;
}

/** gRPC of A2A 0.3 on a plain channel, without version metadata like 0.3 clients. */
export function openRawGrpcV03(target: DriverTarget): Driver {
  const connection = new GrpcConnection(target, {});
  return {
    name: 'gRPC 0.3, raw',
    binding: 'GRPC',
    version: '0.3',
    client: 'raw',
    send: async (request, options) =>
      decodeSendResponse(
        v03PbEventToCore(
          await connection.call(LegacyA2AService.sendMessage, coreSendToV03Pb(request), options),
        ),
      ),
    stream: (request, options) =>
      events(connection.stream(LegacyA2AService.sendStreamingMessage, coreSendToV03Pb(request), options)),
    get: async ({ id, historyLength }, options) =>
      decodeTask(
        v03PbTaskToCore(
          await connection.call(
            LegacyA2AService.getTask,
            { name: taskName(id), historyLength: Number(historyLength ?? 0) },
            options,
          ),
        ),
      ),
    list: unavailable('ListTasks', 'gRPC 0.3'),
    cancel: async ({ id }, options) =>
      decodeTask(
        v03PbTaskToCore(await connection.call(LegacyA2AService.cancelTask, { name: taskName(id) }, options)),
      ),
    subscribe: ({ id }, options) =>
      events(connection.stream(LegacyA2AService.taskSubscription, { name: taskName(id) }, options)),
    createPushConfig: async (request, options) =>
      v03PushConfigToCore(
        await connection.call(
          LegacyA2AService.createTaskPushNotificationConfig,
          {
            parent: taskName(request['taskId']),
            configId: asText(request['id'] ?? ''),
            config: {
              name: configName(request),
              pushNotificationConfig: corePushConfigToV03Pb(request),
            },
          },
          options,
        ),
      ),
    getPushConfig: async (request, options) =>
      v03PushConfigToCore(
        await connection.call(
          LegacyA2AService.getTaskPushNotificationConfig,
          { name: configName(request) },
          options,
        ),
      ),
    listPushConfigs: async ({ taskId }, options) =>
      v03PushConfigsToCore(
        await connection.call(
          LegacyA2AService.listTaskPushNotificationConfig,
          { parent: taskName(taskId), pageSize: 0, pageToken: '' },
          options,
        ),
      ),
    deletePushConfig: (request, options) =>
      connection.call(
        LegacyA2AService.deleteTaskPushNotificationConfig,
        { name: configName(request) },
        options,
      ),
    extendedCard: (_request, options) => connection.call(LegacyA2AService.getAgentCard, {}, options),
    close: () => connection.close(),
  };
}
