import type {
  JsonObject,
  ListTasksResponse,
  OperationName,
  SendMessageResponse,
  StreamResponse,
  Task,
} from '@holdword/protocol';
import { grpcProcedure } from '@holdword/protocol/internal/grpc';
import type { Binding, CallOptions, DriverTarget } from './driver.ts';
import { GrpcConnection } from './grpc-connection.ts';
import { asText } from './json-objects.ts';
import { JsonRpcConnection } from './raw-json-rpc.ts';
import { RestConnection } from './raw-rest.ts';

/** The operations that A2A 1.1 changes, over one binding. What is sent and received is JSON of 1.1. */
export interface NextDriver {
  readonly binding: Binding;
  send(request: JsonObject, options?: CallOptions): Promise<SendMessageResponse>;
  stream(request: JsonObject, options?: CallOptions): AsyncIterable<StreamResponse>;
  get(request: JsonObject, options?: CallOptions): Promise<Task>;
  list(request: JsonObject, options?: CallOptions): Promise<ListTasksResponse>;
  cancel(request: JsonObject, options?: CallOptions): Promise<Task>;
  subscribe(request: JsonObject, options?: CallOptions): AsyncIterable<StreamResponse>;
  createPushConfig(request: JsonObject, options?: CallOptions): Promise<unknown>;
  close(): void;
}

const HEADERS = { 'a2a-version': '1.1' };

export function openNext(target: DriverTarget, binding: Binding): NextDriver {
  return OPEN[binding]({ ...target, headers: { ...target.headers, ...HEADERS } });
}

const OPEN: Readonly<Record<Binding, (target: DriverTarget) => NextDriver>> = {
  JSONRPC: openJsonRpc,
  'HTTP+JSON': openRest,
  GRPC: openGrpc,
};

function openJsonRpc(target: DriverTarget): NextDriver {
  const connection = new JsonRpcConnection(target, HEADERS);
  const call = (method: string) => (request: JsonObject, options?: CallOptions) =>
    connection.call(method, request, options) as Promise<never>;
  const events = (method: string) =>
    async function* (request: JsonObject, options?: CallOptions) {
      for await (const { result } of connection.stream(method, request, options))
        yield result as StreamResponse;
    };
  return {
    binding: 'JSONRPC',
    send: call('SendMessage'),
    stream: events('SendStreamingMessage'),
    get: call('GetTask'),
    list: call('ListTasks'),
    cancel: call('CancelTask'),
    subscribe: events('SubscribeToTask'),
    createPushConfig: call('CreateTaskPushNotificationConfig'),
    close: () => {},
  };
}

function openRest(target: DriverTarget): NextDriver {
  const connection = new RestConnection(target, (value) => value as StreamResponse);
  async function* events(path: string, body: JsonObject | undefined, options?: CallOptions) {
    for await (const { event } of connection.stream('POST', path, body, options)) yield event;
  }
  return {
    binding: 'HTTP+JSON',
    send: (request, options) => connection.call('POST', '/message:send', request, options) as Promise<never>,
    stream: (request, options) => events('/message:stream', request, options),
    get: ({ id, ...fields }, options) =>
      connection.call('GET', `/tasks/${asText(id)}${queryOf(fields)}`, undefined, options) as Promise<never>,
    list: (request, options) =>
      connection.call('GET', `/tasks${queryOf(request)}`, undefined, options) as Promise<never>,
    cancel: ({ id }, options) =>
      connection.call('POST', `/tasks/${asText(id)}:cancel`, {}, options) as Promise<never>,
    subscribe: ({ id }, options) => events(`/tasks/${asText(id)}:subscribe`, {}, options),
    createPushConfig: ({ taskId, ...config }, options) =>
      connection.call('POST', `/tasks/${asText(taskId)}/pushNotificationConfigs`, config, options),
    close: () => {},
  };
}

function queryOf(fields: JsonObject): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) query.set(name, asText(value));
  return `?${query.toString()}`;
}

/** Its bytes are tested where they are made. */
function openGrpc(target: DriverTarget): NextDriver {
  const connection = new GrpcConnection(target, HEADERS);
  const call = (operation: OperationName) => (request: JsonObject, options?: CallOptions) =>
    connection.call(methodOf(operation), request, options) as Promise<never>;
  const events = (operation: OperationName) => (request: JsonObject, options?: CallOptions) =>
    connection.stream(methodOf(operation), request, options) as AsyncIterable<StreamResponse>;
  return {
    binding: 'GRPC',
    send: call('sendMessage'),
    stream: events('sendStreamingMessage'),
    get: call('getTask'),
    list: call('listTasks'),
    cancel: call('cancelTask'),
    subscribe: events('subscribeToTask'),
    createPushConfig: call('createTaskPushNotificationConfig'),
    close: () => connection.close(),
  };
}

function methodOf(operation: OperationName) {
  const { path, encodeRequest, decodeResponse } = grpcProcedure(operation, '1.1');
  return { path, requestSerialize: encodeRequest, responseDeserialize: decodeResponse };
}
