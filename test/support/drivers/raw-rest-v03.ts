import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '@holdword/protocol';
import { decodeSendResponse, decodeStreamResponse, decodeTask } from './decode-response.ts';
import type { CallOptions, Driver, DriverTarget, StreamedEvent } from './driver.ts';
import { bodyOf, headOf, openHttp } from './http-client.ts';
import { asText, isObject } from './json-objects.ts';
import { readSse } from './sse.ts';
import { unavailable } from './unavailable-operation.ts';
import { coreSendToV03Proto, v03ProtoEventToCore, v03ProtoTaskToCore } from './v03-proto-json.ts';
import { corePushConfigToV03, v03PushConfigsToCore, v03PushConfigToCore } from './v03-push-config.ts';
import { WireError } from './wire-error.ts';

function taskPath(id: unknown): string {
  return `/tasks/${encodeURIComponent(asText(id))}`;
}

function pushPath({ taskId }: JsonObject): string {
  return `${taskPath(taskId)}/pushNotificationConfigs`;
}

/** HTTP+JSON of A2A 0.3 under `/v1`, without a version header like 0.3 clients. */
export function openRawRestV03(target: DriverTarget): Driver {
  const open = (
    method: string,
    path: string,
    body: JsonObject | undefined,
    options: CallOptions = {},
  ): Promise<IncomingMessage> =>
    openHttp({
      ...options,
      method,
      url: `${target.restUrl}/v1${path}`,
      headers: { 'content-type': 'application/json', ...target.headers, ...options.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const call = async (
    method: string,
    path: string,
    body?: JsonObject,
    options?: CallOptions,
  ): Promise<unknown> => {
    const response = await open(method, path, body, options);
    const text = await bodyOf(response);
    const { status, headers } = headOf(response);
    if (status >= 300) {
      throw errorOf(text, status, headers);
    }
    return text === '' ? undefined : JSON.parse(text);
  };

  async function* stream(
    method: string,
    path: string,
    body?: JsonObject,
    options?: CallOptions,
  ): AsyncGenerator<StreamedEvent> {
    const response = await open(method, path, body, options);
    const { status, headers } = headOf(response);
    if (status >= 300) {
      throw errorOf(await bodyOf(response), status, headers);
    }
    for await (const frame of readSse(response)) {
      if (frame.event === 'error') {
        throw errorOf(frame.data, status, headers);
      }
      const event = decodeStreamResponse(v03ProtoEventToCore(JSON.parse(frame.data)));
      yield frame.id === undefined ? { event } : { id: frame.id, event };
    }
  }

  return {
    name: 'REST 0.3, raw',
    binding: 'HTTP+JSON',
    version: '0.3',
    client: 'raw',
    send: async (request, options) =>
      decodeSendResponse(
        v03ProtoEventToCore(await call('POST', '/message:send', coreSendToV03Proto(request), options)),
      ),
    stream: (request, options) => stream('POST', '/message:stream', coreSendToV03Proto(request), options),
    get: async ({ id, historyLength }, options) => {
      const query = historyLength === undefined ? '' : `?historyLength=${asText(historyLength)}`;
      return decodeTask(v03ProtoTaskToCore(await call('GET', `${taskPath(id)}${query}`, undefined, options)));
    },
    list: unavailable('ListTasks', 'REST 0.3'),
    cancel: async ({ id }, options) =>
      decodeTask(v03ProtoTaskToCore(await call('POST', `${taskPath(id)}:cancel`, undefined, options))),
    subscribe: ({ id }, options) => stream('GET', `${taskPath(id)}:subscribe`, undefined, options),
    createPushConfig: async (request, options) =>
      v03PushConfigToCore(
        await call(
          'POST',
          pushPath(request),
          {
            name: `tasks/${asText(request['taskId'])}/pushNotificationConfigs/${asText(request['id'])}`,
            pushNotificationConfig: corePushConfigToV03(request),
          },
          options,
        ),
      ),
    getPushConfig: async (request, options) =>
      v03PushConfigToCore(
        await call('GET', `${pushPath(request)}/${asText(request['id'])}`, undefined, options),
      ),
    listPushConfigs: async (request, options) =>
      v03PushConfigsToCore(await call('GET', pushPath(request), undefined, options)),
    deletePushConfig: (request, options) =>
      call('DELETE', `${pushPath(request)}/${asText(request['id'])}`, undefined, options),
    extendedCard: (_request, options) => call('GET', '/card', undefined, options),
    close: () => {},
  };
}

/** 0.3 errors over REST are an unwrapped `{code, message, data}` with the JSON-RPC code. */
function errorOf(text: string, httpStatus: number, headers: Record<string, string | undefined>): WireError {
  const body: unknown = JSON.parse(text);
  if (!isObject(body) || typeof body['code'] !== 'number') {
    throw new Error(`Expected a 0.3 error body, received ${text}`);
  }
  return new WireError({ message: asText(body['message']), code: body['code'], httpStatus, headers });
}
