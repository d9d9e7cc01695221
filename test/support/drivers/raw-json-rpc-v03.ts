import type { JsonObject } from '@holdword/protocol';
import { decodeSendResponse, decodeStreamResponse, decodeTask } from './decode-response.ts';
import type { CallOptions, Driver, DriverTarget, StreamedEvent } from './driver.ts';
import { isObject } from './json-objects.ts';
import { JsonRpcConnection } from './raw-json-rpc.ts';
import { unavailable } from './unavailable-operation.ts';
import { coreSendToV03, v03EventToCore, v03MessageToCore, v03TaskToCore } from './v03-json.ts';
import { corePushConfigToV03, v03PushConfigsToCore, v03PushConfigToCore } from './v03-push-config.ts';

/** JSON-RPC of A2A 0.3, without a version header like 0.3 clients. */
export function openRawJsonRpcV03(target: DriverTarget): Driver {
  const connection = new JsonRpcConnection(target, {});
  async function* events(
    method: string,
    params: JsonObject,
    options?: CallOptions,
  ): AsyncGenerator<StreamedEvent> {
    for await (const { result, ...frame } of connection.stream(method, params, options)) {
      yield { ...frame, event: decodeStreamResponse(v03EventToCore(result)) };
    }
  }
  return {
    name: 'JSON-RPC 0.3, raw',
    binding: 'JSONRPC',
    version: '0.3',
    client: 'raw',
    send: async (request, options) => {
      const result = await connection.call('message/send', coreSendToV03(request), options);
      return decodeSendResponse(
        isObject(result) && result['kind'] === 'message'
          ? { message: v03MessageToCore(result) }
          : { task: v03TaskToCore(result) },
      );
    },
    stream: (request, options) => events('message/stream', coreSendToV03(request), options),
    get: async (request, options) =>
      decodeTask(v03TaskToCore(await connection.call('tasks/get', request, options))),
    list: unavailable('ListTasks', 'JSON-RPC 0.3'),
    cancel: async (request, options) =>
      decodeTask(v03TaskToCore(await connection.call('tasks/cancel', request, options))),
    subscribe: (request, options) => events('tasks/resubscribe', request, options),
    createPushConfig: async ({ taskId, ...config }, options) =>
      v03PushConfigToCore(
        await connection.call(
          'tasks/pushNotificationConfig/set',
          { taskId, pushNotificationConfig: corePushConfigToV03(config) },
          options,
        ),
      ),
    getPushConfig: async ({ taskId, id }, options) =>
      v03PushConfigToCore(
        await connection.call(
          'tasks/pushNotificationConfig/get',
          { id: taskId, pushNotificationConfigId: id },
          options,
        ),
      ),
    listPushConfigs: async ({ taskId }, options) =>
      v03PushConfigsToCore(
        await connection.call('tasks/pushNotificationConfig/list', { id: taskId }, options),
      ),
    deletePushConfig: ({ taskId, id }, options) =>
      connection.call(
        'tasks/pushNotificationConfig/delete',
        { id: taskId, pushNotificationConfigId: id },
        options,
      ),
    extendedCard: (_request, options) => connection.call('agent/getAuthenticatedExtendedCard', {}, options),
    close: () => {},
  };
}
