import type { IncomingMessage } from 'node:http';
import { RESUME_EXTENSION, type JsonObject, type ListTasksResponse } from '@holdword/protocol';
import { bodyOf, openHttp } from '../../support/drivers/http-client.ts';
import type { Binding, Operation } from './binding.ts';
import { ConnectionLost, connectionLost } from './connection-lost.ts';
import { FrameSplitter } from './frame-splitter.ts';
import { jsonRpcBinding } from './json-rpc-binding.ts';
import { restBinding } from './rest-binding.ts';

export const BINDINGS: readonly Binding[] = [jsonRpcBinding, restBinding];

/** A StreamResponse and its sequence number, byte for byte as received, without the binding's envelope. */
export interface EventFrame {
  sequence: number;
  json: string;
}

export interface StreamOptions {
  idempotencyKey?: string;
  /** Destroys the socket after this many bytes of the body. */
  cutAfterBytes?: number;
}

/** A client that keeps responses as text. Every call uses a new connection and throws a ConnectionLost or a WireError. */
export class Client {
  readonly #address: string;
  readonly #binding: Binding;

  constructor(address: string, binding: Binding) {
    this.#address = address;
    this.#binding = binding;
  }

  /** The task in the response, as JSON. */
  async send(request: JsonObject, idempotencyKey?: string): Promise<string> {
    const answer = await this.#call('SendMessage', request, keyHeader(idempotencyKey));
    const [before, after] = ['{"task":', '}'];
    if (!answer.startsWith(before)) throw new Error(`Expected a task, received ${answer}`);
    return answer.slice(before.length, -after.length);
  }

  getTask(id: string): Promise<string> {
    return this.#call('GetTask', { id });
  }

  cancelTask(id: string): Promise<string> {
    return this.#call('CancelTask', { id });
  }

  async listTasks(query: JsonObject): Promise<ListTasksResponse> {
    return JSON.parse(await this.#call('ListTasks', query)) as ListTasksResponse;
  }

  stream(request: JsonObject, options: StreamOptions = {}): AsyncGenerator<EventFrame> {
    return this.#stream('SendStreamingMessage', request, keyHeader(options.idempotencyKey), options);
  }

  /** The events after `cursor`; with a cursor above 0 the first frame is the task as of the cursor. */
  subscribe(id: string, cursor: number, options: StreamOptions = {}): AsyncGenerator<EventFrame> {
    return this.#stream('SubscribeToTask', { id }, resumeHeaders(cursor), options);
  }

  /** Subscribes without reading: the response stays in the socket until the caller reads it. */
  openSubscription(id: string, cursor: number): Promise<IncomingMessage> {
    return this.#open('SubscribeToTask', { id }, resumeHeaders(cursor));
  }

  /** The frames of a response from `openSubscription`. */
  async *frames(response: IncomingMessage, cutAfterBytes = Infinity): AsyncGenerator<EventFrame> {
    const splitter = new FrameSplitter();
    let left = cutAfterBytes;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        const received = chunk.subarray(0, left);
        for (const { sequence, data } of splitter.push(received)) {
          yield { sequence, json: this.#binding.unwrap(data) };
        }
        left -= received.length;
        if (left <= 0) throw new ConnectionLost('The client cut the connection.');
      }
    } catch (error) {
      throw connectionLost(error);
    } finally {
      response.destroy();
    }
    if (!splitter.complete) throw new Error('The server ended the stream normally but within a frame.');
  }

  async *#stream(
    operation: Operation,
    params: JsonObject,
    headers: Record<string, string>,
    options: StreamOptions,
  ): AsyncGenerator<EventFrame> {
    const response = await this.#open(operation, params, headers);
    if (response.headers['content-type'] !== 'text/event-stream') {
      this.#binding.unwrap(await bodyOf(response));
      throw new Error(`Expected an event stream, received ${response.headers['content-type']}`);
    }
    if (options.cutAfterBytes === 0) {
      response.destroy();
      throw new ConnectionLost('The client cut the connection.');
    }
    yield* this.frames(response, options.cutAfterBytes);
  }

  async #call(operation: Operation, params: JsonObject, headers?: Record<string, string>): Promise<string> {
    const response = await this.#open(operation, params, headers);
    const text = await bodyOf(response).catch((error: unknown) => {
      throw connectionLost(error);
    });
    return this.#binding.unwrap(text);
  }

  async #open(
    operation: Operation,
    params: JsonObject,
    headers: Record<string, string> = {},
  ): Promise<IncomingMessage> {
    const request = this.#binding.request(this.#address, operation, params);
    try {
      return await openHttp({ ...request, headers: { ...request.headers, ...headers } });
    } catch (error) {
      throw connectionLost(error);
    }
  }
}

function keyHeader(idempotencyKey: string | undefined): Record<string, string> {
  return idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
}

function resumeHeaders(cursor: number): Record<string, string> {
  return { 'a2a-extensions': RESUME_EXTENSION, 'last-event-id': String(cursor) };
}
