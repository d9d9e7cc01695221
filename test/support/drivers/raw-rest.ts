import type { JsonObject, StreamResponse } from '@holdword/protocol';
import { decodeSendResponse, decodeStreamResponse, decodeTask, decodeTaskList } from './decode-response.ts';
import type { CallOptions, Driver, DriverTarget, StreamedEvent } from './driver.ts';
import { asText } from './json-objects.ts';
import { bodyOf, headOf, openHttp } from './http-client.ts';
import { readSse } from './sse.ts';
import { WireError } from './wire-error.ts';

interface RestErrorBody {
  error: { code: number; status: string; message: string; details?: readonly JsonObject[] };
}

export type RestMethod = 'GET' | 'POST' | 'DELETE';

/** HTTP+JSON of A2A 1.0 with handwritten paths and query strings. */
export class RestConnection {
  readonly #target: DriverTarget;
  readonly #decodeEvent: (value: unknown) => StreamResponse;

  constructor(target: DriverTarget, decodeEvent = decodeStreamResponse) {
    this.#target = target;
    this.#decodeEvent = decodeEvent;
  }

  async call(
    method: RestMethod,
    path: string,
    body?: JsonObject,
    options: CallOptions = {},
  ): Promise<unknown> {
    const response = await this.#open(method, path, body, options);
    const text = await bodyOf(response);
    const { status, headers } = headOf(response);
    if (status >= 300) {
      throw restError(text, status, headers);
    }
    return text === '' ? undefined : JSON.parse(text);
  }

  async *stream(
    method: RestMethod,
    path: string,
    body?: JsonObject,
    options: CallOptions = {},
  ): AsyncGenerator<StreamedEvent> {
    const response = await this.#open(method, path, body, options);
    const { status, headers } = headOf(response);
    if (status >= 300) {
      throw restError(await bodyOf(response), status, headers);
    }
    for await (const frame of readSse(response)) {
      const value: unknown = JSON.parse(frame.data);
      if (isErrorBody(value)) {
        throw restError(frame.data, value.error.code, headers);
      }
      const event = this.#decodeEvent(value);
      yield frame.id === undefined ? { event } : { id: frame.id, event };
    }
  }

  #open(method: RestMethod, path: string, body: JsonObject | undefined, options: CallOptions) {
    return openHttp({
      ...options,
      method,
      url: `${this.#target.restUrl}${path}`,
      headers: {
        'a2a-version': '1.0',
        ...(body === undefined ? {} : { 'content-type': 'application/a2a+json' }),
        ...this.#target.headers,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

function isErrorBody(value: unknown): value is RestErrorBody {
  return typeof value === 'object' && value !== null && 'error' in value;
}

function restError(text: string, httpStatus: number, headers: Record<string, string | undefined>): WireError {
  const body: unknown = JSON.parse(text);
  if (!isErrorBody(body)) {
    throw new Error(`Expected an error body, received ${text}`);
  }
  const { code, status, message, details } = body.error;
  return new WireError({
    message,
    code,
    httpStatus,
    status,
    headers,
    ...(details === undefined ? {} : { details }),
  });
}

/** The query string of a GET: camelCase names, lower-case booleans. */
function queryOf(fields: JsonObject): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) {
      query.set(name, asText(value));
    }
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The prefix `/tenant` if the request has one. */
function prefixOf(request: JsonObject): string {
  return typeof request['tenant'] === 'string' ? `/${encodeURIComponent(request['tenant'])}` : '';
}

function segment(value: unknown): string {
  return encodeURIComponent(asText(value));
}

function pushPath({ taskId, ...request }: JsonObject): string {
  return `${prefixOf(request)}/tasks/${segment(taskId)}/pushNotificationConfigs`;
}

export function openRawRest(target: DriverTarget): Driver {
  const connection = new RestConnection(target);
  return {
    name: 'REST 1.0, raw',
    binding: 'HTTP+JSON',
    version: '1.0',
    client: 'raw',
    send: async (request, options) =>
      decodeSendResponse(
        await connection.call('POST', `${prefixOf(request)}/message:send`, request, options),
      ),
    stream: (request, options) =>
      connection.stream('POST', `${prefixOf(request)}/message:stream`, request, options),
    get: async ({ tenant, id, ...query }, options) =>
      decodeTask(
        await connection.call(
          'GET',
          `${prefixOf({ tenant })}/tasks/${segment(id)}${queryOf(query)}`,
          undefined,
          options,
        ),
      ),
    list: async ({ tenant, ...query }, options) =>
      decodeTaskList(
        await connection.call('GET', `${prefixOf({ tenant })}/tasks${queryOf(query)}`, undefined, options),
      ),
    cancel: async ({ id, ...request }, options) =>
      decodeTask(
        await connection.call('POST', `${prefixOf(request)}/tasks/${segment(id)}:cancel`, request, options),
      ),
    subscribe: ({ id, ...request }, options) =>
      connection.stream('GET', `${prefixOf(request)}/tasks/${segment(id)}:subscribe`, undefined, options),
    createPushConfig: (request, options) => connection.call('POST', pushPath(request), request, options),
    getPushConfig: (request, options) =>
      connection.call('GET', `${pushPath(request)}/${segment(request['id'])}`, undefined, options),
    listPushConfigs: ({ tenant, taskId, ...query }, options) =>
      connection.call('GET', `${pushPath({ tenant, taskId })}${queryOf(query)}`, undefined, options),
    deletePushConfig: (request, options) =>
      connection.call('DELETE', `${pushPath(request)}/${segment(request['id'])}`, undefined, options),
    extendedCard: (request, options) =>
      connection.call('GET', `${prefixOf(request)}/extendedAgentCard`, undefined, options),
    close: () => {},
  };
}
