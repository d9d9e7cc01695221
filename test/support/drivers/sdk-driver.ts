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
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
  type RequestOptions,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { decodeSendResponse, decodeStreamResponse, decodeTask, decodeTaskList } from './decode-response.ts';
import type { Binding, CallOptions, Driver, DriverTarget, StreamedEvent, Version } from './driver.ts';
import { sdkErrorToWireError } from './sdk-error.ts';

const CARD_PATHS: Readonly<Record<Version, string>> = {
  '1.0': '/.well-known/agent-card.json',
  '0.3': '/.well-known/agent.json',
};
const LEGACY_COMPAT = { legacyCompat: { enabled: true } };

/** The official client, starting from the card: it selects the interface and version itself. */
export async function openSdk(target: DriverTarget, binding: Binding, version: Version): Promise<Driver> {
  const client = await new ClientFactory({
    transports: [
      new JsonRpcTransportFactory(LEGACY_COMPAT),
      new RestTransportFactory(LEGACY_COMPAT),
      new GrpcTransportFactory(LEGACY_COMPAT),
    ],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({
      path: target.cardPath ?? CARD_PATHS[version],
      // If both versions are on one card, this client would choose the newer one.
      fetchImpl: (url, init) => fetch(url, { ...init, headers: { 'A2A-Version': version } }),
      ...LEGACY_COMPAT,
    }),
  }).createFromUrl(target.baseUrl);
  if (client.protocolVersion !== version || client.transport.protocolName !== binding) {
    throw new Error(
      `The client selected ${client.transport.protocolName} ${client.protocolVersion} instead of ${binding} ${version}`,
    );
  }
  return sdkDriver(client, target, binding, version);
}

function sdkDriver(client: Client, target: DriverTarget, binding: Binding, version: Version): Driver {
  const optionsOf = (options: CallOptions = {}): RequestOptions => ({
    serviceParameters: { 'A2A-Version': version, ...target.headers, ...options.headers },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return {
    name: `${binding} ${version}, SDK client`,
    binding,
    version,
    client: 'sdk',
    send: async (request, options) => {
      const result = await translating(
        client.sendMessage(SendMessageRequest.fromJSON(request), optionsOf(options)),
      );
      return decodeSendResponse(
        'messageId' in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) },
      );
    },
    stream: (request, options) =>
      events(client.sendMessageStream(SendMessageRequest.fromJSON(request), optionsOf(options))),
    get: async (request, options) =>
      decodeTask(
        Task.toJSON(await translating(client.getTask(GetTaskRequest.fromJSON(request), optionsOf(options)))),
      ),
    list: async (request, options) => {
      const { tasks, nextPageToken, pageSize, totalSize } = await translating(
        client.listTasks(ListTasksRequest.fromJSON(request), optionsOf(options)),
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
          await translating(client.cancelTask(CancelTaskRequest.fromJSON(request), optionsOf(options))),
        ),
      ),
    subscribe: (request, options) =>
      events(client.resubscribeTask(SubscribeToTaskRequest.fromJSON(request), optionsOf(options))),
    // The client itself rejects these if the card does not declare them; its transport asks the server.
    createPushConfig: async (request, options) =>
      TaskPushNotificationConfig.toJSON(
        await translating(
          client.transport.createTaskPushNotificationConfig(
            TaskPushNotificationConfig.fromJSON(request),
            optionsOf(options),
          ),
        ),
      ),
    getPushConfig: async (request, options) =>
      TaskPushNotificationConfig.toJSON(
        await translating(
          client.transport.getTaskPushNotificationConfig(
            GetTaskPushNotificationConfigRequest.fromJSON(request),
            optionsOf(options),
          ),
        ),
      ),
    listPushConfigs: async (request, options) =>
      ListTaskPushNotificationConfigsResponse.toJSON(
        await translating(
          client.transport.listTaskPushNotificationConfig(
            ListTaskPushNotificationConfigsRequest.fromJSON(request),
            optionsOf(options),
          ),
        ),
      ),
    deletePushConfig: (request, options) =>
      translating(
        client.transport.deleteTaskPushNotificationConfig(
          DeleteTaskPushNotificationConfigRequest.fromJSON(request),
          optionsOf(options),
        ),
      ),
    extendedCard: async (request, options) =>
      AgentCard.toJSON(
        await translating(
          client.transport.getExtendedAgentCard(
            GetExtendedAgentCardRequest.fromJSON(request),
            optionsOf(options),
          ),
        ),
      ),
    close: () => {},
  };
}

async function* events(responses: AsyncIterable<StreamResponse>): AsyncGenerator<StreamedEvent> {
  try {
    for await (const response of responses) {
      yield { event: decodeStreamResponse(StreamResponse.toJSON(response)) };
    }
  } catch (error) {
    throw sdkErrorToWireError(error);
  }
}

async function translating<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw sdkErrorToWireError(error);
  }
}
