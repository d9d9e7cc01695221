import type { GuardedClient, OpenedResponse } from '@parley/net';
import { A2AError, readHttpError } from '@parley/protocol';
import type { PeerCallOptions } from '../peer.ts';
import { readLimited } from './read-limited.ts';
import { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts';

export interface HttpEndpointOptions {
  client: GuardedClient;
  /** What every call to this place carries, credentials among them. */
  headers: Readonly<Record<string, string>>;
  maxResponseBytes: number;
  timeoutMilliseconds: number;
}

export interface HttpCall {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** See GuardedOpenRequest. */
  repeatable: boolean;
}

/** JSON answers and event streams over HTTP. A status that says no is thrown as an A2AError. */
export class HttpEndpoint {
  readonly #options: HttpEndpointOptions;

  constructor(options: HttpEndpointOptions) {
    this.#options = options;
  }

  /** The parsed body; undefined when it is empty. */
  async callJson(call: HttpCall, options: PeerCallOptions): Promise<unknown> {
    const end = Date.now() + (options.timeoutMilliseconds ?? this.#options.timeoutMilliseconds);
    const response = await this.#open(call, options);
    // The time is for the body, too; a stream has as much as it likes.
    const timer = setTimeout(() => response.close(timeIsUp()), end - Date.now());
    try {
      const text = await readLimited(response.body, this.#options.maxResponseBytes);
      return text === '' ? undefined : parseJson(text);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Events as they arrive; one event of the type `answer` when the other side answered with plain JSON. */
  async *events(call: HttpCall, options: PeerCallOptions): AsyncGenerator<ServerSentEvent> {
    const accept = { Accept: 'text/event-stream' };
    const response = await this.#open({ ...call, headers: { ...call.headers, ...accept } }, options);
    const { maxResponseBytes } = this.#options;
    try {
      if (isEventStream(response)) yield* readServerSentEvents(response.body, maxResponseBytes);
      else yield { type: 'answer', data: await readLimited(response.body, maxResponseBytes) };
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      response.close();
    }
  }

  async #open(call: HttpCall, options: PeerCallOptions): Promise<OpenedResponse> {
    const { client, headers, timeoutMilliseconds, maxResponseBytes } = this.#options;
    const response = await client.open({
      ...call,
      headers: { Accept: 'application/json', ...call.headers, ...headers },
      timeoutMilliseconds: options.timeoutMilliseconds ?? timeoutMilliseconds,
      ...(options.signal && { signal: options.signal }),
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw await readRefusal(response, maxResponseBytes);
  }
}

async function readRefusal(response: OpenedResponse, maxBytes: number): Promise<A2AError> {
  const body = await readLimited(response.body, maxBytes);
  const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
  return readHttpError(response.status, body, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

function timeIsUp(): DOMException {
  return new DOMException('The time is up.', 'TimeoutError');
}

function isEventStream({ headers }: OpenedResponse): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new A2AError(
      'INVALID_AGENT_RESPONSE',
      'Expected the agent to answer with JSON, found text that does not parse. Check that its URL leads to an A2A agent.',
    );
  }
}
