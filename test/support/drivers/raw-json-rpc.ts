import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '@holdword/protocol';
import { decodeSendResponse, decodeStreamResponse, decodeTask, decodeTaskList } from './decode-response.ts';
import type { CallOptions, Driver, DriverTarget, StreamedEvent } from './driver.ts';
import { bodyOf, headOf, openHttp } from './http-client.ts';
import { readSse } from './sse.ts';
import { WireError } from './wire-error.ts';

interface JsonRpcAnswer {
  jsonrpc: unknown;
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: readonly JsonObject[] };
}

/** JSON-RPC 2.0 over HTTP with a handwritten envelope. */
export class JsonRpcConnection {
  readonly #target: DriverTarget;
  readonly #headers: Record<string, string>;
  #lastId = 0;

  constructor(target: DriverTarget, headers: Record<string, string>) {
    this.#target = target;
    this.#headers = { 'content-type': 'application/json', ...headers, ...target.headers };
  }

  async call(method: string, params: JsonObject, options: CallOptions = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const response = await this.#open(id, method, params, options);
    return resultOf(JSON.parse(await bodyOf(response)), id, response);
  }

  async *stream(
    method: string,
    params: JsonObject,
    options: CallOptions = {},
  ): AsyncGenerator<{ id?: string; result: unknown }> {
    const id = ++this.#lastId;
    const response = await this.#open(id, method, params, options);
    if (!response.headers['content-type']?.startsWith('text/event-stream')) {
      resultOf(JSON.parse(await bodyOf(response)), id, response);
      throw new Error(`Expected an event stream from ${method}, received a plain response`);
    }
    for await (const frame of readSse(response)) {
      const result = resultOf(JSON.parse(frame.data), id, response);
      yield frame.id === undefined ? { result } : { id: frame.id, result };
    }
  }

  #open(id: number, method: string, params: JsonObject, options: CallOptions): Promise<IncomingMessage> {
    return openHttp({
      ...options,
      url: this.#target.jsonRpcUrl,
      headers: { ...this.#headers, ...options.headers },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
  }
}

function resultOf(answer: JsonRpcAnswer, id: number, response: IncomingMessage): unknown {
  // A rejection by HTTP status may precede reading the body: JSON-RPC uses null for an unknown ID.
  const idIsRight = answer.id === id || (answer.id === null && response.statusCode !== 200);
  if (answer.jsonrpc !== '2.0' || !idIsRight) {
    throw new Error(`Expected a JSON-RPC 2.0 response to request ${id}, received ${JSON.stringify(answer)}`);
  }
  if (answer.error !== undefined) {
    const { status, headers } = headOf(response);
    throw new WireError({
      message: answer.error.message,
      code: answer.error.code,
      httpStatus: status,
      details: answer.error.data ?? [],
      headers,
    });
  }
  return answer.result;
}

export function openRawJsonRpc(target: DriverTarget): Driver {
  const connection = new JsonRpcConnection(target, { 'a2a-version': '1.0' });
  async function* events(
    method: string,
    request: JsonObject,
    options?: CallOptions,
  ): AsyncGenerator<StreamedEvent> {
    for await (const { result, ...frame } of connection.stream(method, request, options)) {
      yield { ...frame, event: decodeStreamResponse(result) };
    }
  }
  return {
    name: 'JSON-RPC 1.0, raw',
    binding: 'JSONRPC',
    version: '1.0',
    client: 'raw',
    send: async (request, options) =>
      decodeSendResponse(await connection.call('SendMessage', request, options)),
    stream: (request, options) => events('SendStreamingMessage', request, options),
    get: async (request, options) => decodeTask(await connection.call('GetTask', request, options)),
    list: async (request, options) => decodeTaskList(await connection.call('ListTasks', request, options)),
    cancel: async (request, options) => decodeTask(await connection.call('CancelTask', request, options)),
    subscribe: (request, options) => events('SubscribeToTask', request, options),
    createPushConfig: (request, options) =>
      connection.call('CreateTaskPushNotificationConfig', request, options),
    getPushConfig: (request, options) => connection.call('GetTaskPushNotificationConfig', request, options),
    listPushConfigs: (request, options) =>
      connection.call('ListTaskPushNotificationConfigs', request, options),
    deletePushConfig: (request, options) =>
      connection.call('DeleteTaskPushNotificationConfig', request, options),
    extendedCard: (request, options) => connection.call('GetExtendedAgentCard', request, options),
    close: () => {},
  };
}
