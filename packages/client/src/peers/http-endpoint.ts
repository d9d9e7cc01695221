import { readServerSentEvents, type OpenedResponse, type ServerSentEvent } from '@holdword/net/internal';
import { A2AError, type OperationName } from '@holdword/protocol';
import { hasMoreValuesThan, isDeeperThan, readHttpError, Timer } from '@holdword/protocol/internal';
import type { LargeParts } from '../large/large-parts.ts';
import type { PeerCallOptions } from './peer.ts';
import { readHeaders, type WireOptions } from './wire.ts';

export type HttpEndpointOptions = Pick<
  WireOptions,
  'client' | 'headers' | 'allowCallHeaders' | 'maxResponseBytes' | 'largeParts' | 'timeoutMilliseconds'
>;

/** The type of a plain JSON response in place of a stream. */
export const ANSWER = 'answer';

export interface HttpRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** See GuardedOpenRequest. */
  repeatable: boolean;
  /** What is asked for, if the error of a response depends on it. */
  operation?: OperationName;
}

/** An event of a stream, or a plain JSON response in its place, with the type ANSWER. */
export interface HttpEvent extends ServerSentEvent {
  readonly json: unknown;
}

export interface HttpResponse extends Pick<OpenedResponse, 'status' | 'headers'> {
  text: string;
}

/** JSON responses and event streams over HTTP. An error status is thrown as an A2AError. */
export class HttpEndpoint {
  readonly #options: HttpEndpointOptions;

  constructor(options: HttpEndpointOptions) {
    this.#options = options;
  }

  /** Sends a request and reads the whole response, whatever its status. */
  async request(call: HttpRequest, options: PeerCallOptions): Promise<HttpResponse> {
    const end = Date.now() + this.#timeout(options);
    const response = await this.#open(call, options);
    // The time is for the body as well. A stream may take as long as it likes.
    const timer = new Timer(end - Date.now(), () => response.close(timeoutError()));
    let received = 0;
    try {
      const { maxResponseBytes, largeParts } = this.#options;
      const text = await readLimited(
        counted(response.body, (bytes) => (received += bytes)),
        maxResponseBytes,
        isGood(response) ? largeParts : undefined,
      );
      return { ...response, text };
    } catch (error) {
      const reason: unknown = options.signal?.aborted === true ? options.signal.reason : error;
      if (received > 0 && typeof reason === 'object' && reason !== null) RECEIVED.set(reason, received);
      throw reason;
    } finally {
      timer[Symbol.dispose]();
    }
  }

  /** The parsed body; undefined when it is empty. */
  async callJson(call: HttpRequest, options: PeerCallOptions): Promise<unknown> {
    const answer = await this.request(call, options);
    if (!isGood(answer)) throw errorOfResponse(answer, call.operation);
    return answer.text === '' ? undefined : parseJson(answer.text);
  }

  /** Yields events as they arrive; a plain JSON response is yielded as one event of type ANSWER. */
  async *events(call: HttpRequest, options: PeerCallOptions): AsyncGenerator<HttpEvent> {
    const accept = { Accept: 'text/event-stream' };
    const response = await this.#open({ ...call, headers: { ...call.headers, ...accept } }, options);
    const { maxResponseBytes } = this.#options;
    try {
      if (isGood(response) && isEventStream(response)) {
        const tooLong = (): A2AError => tooLarge(maxResponseBytes);
        for await (const event of readServerSentEvents(response.body, {
          length: maxResponseBytes,
          tooLong,
        })) {
          yield { ...event, json: parseJson(event.data, NO_JSON_EVENT) };
        }
      } else {
        const text = await readLimited(response.body, maxResponseBytes);
        if (!isGood(response)) throw errorOfResponse({ ...response, text }, call.operation);
        yield { type: ANSWER, data: text, json: parseJson(text) };
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      response.close();
    }
  }

  async #open(call: HttpRequest, options: PeerCallOptions): Promise<OpenedResponse> {
    const { client, headers, allowCallHeaders } = this.#options;
    return client.open({
      ...call,
      headers: {
        Accept: 'application/json',
        ...call.headers,
        ...(await readHeaders(headers)),
        ...(allowCallHeaders && options.headers),
      },
      timeoutMilliseconds: this.#timeout(options),
      ...(options.signal && { signal: options.signal }),
    });
  }

  #timeout({ timeoutMilliseconds }: PeerCallOptions): number {
    return timeoutMilliseconds ?? this.#options.timeoutMilliseconds;
  }
}

const RECEIVED = new WeakMap<object, number>();

/** How many bytes of a response had arrived when this error ended the request; 0 if it had none. */
export function bytesBefore(error: unknown): number {
  return typeof error === 'object' && error !== null ? (RECEIVED.get(error) ?? 0) : 0;
}

async function* counted(body: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    count(chunk.length);
    yield chunk;
  }
}

function isGood({ status }: Pick<OpenedResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The error of a response with an error status. */
export function errorOfResponse(
  { status, headers, text }: HttpResponse,
  operation?: OperationName,
): A2AError {
  if (isRedirect(status)) {
    return new A2AError(
      'INVALID_REQUEST',
      `The agent redirects its endpoint (HTTP status ${status}), and redirects are not followed. Ask its operator to name the new address in its card.`,
    );
  }
  return readHttpError(status, text, secondsIn(headers['retry-after']), operation);
}

/** The seconds of `Retry-After`, which is a number or a date. */
function secondsIn(retryAfter: string | string[] | undefined): number | undefined {
  if (typeof retryAfter !== 'string' || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000) : seconds;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function timeoutError(): DOMException {
  return new DOMException('The operation timed out.', 'TimeoutError');
}

function isEventStream({ headers }: OpenedResponse): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream');
}

/** Far more than any data has, and little enough for code that walks a value. */
const MAX_LEVELS = 1_000;
/**
 * Objects, lists, texts and numbers in a response that is kept in memory. Three characters can be a part, so that the size alone
 * does not limit what parsing and checking takes.
 */
const MAX_VALUES = 250_000;

const NO_JSON = "The agent's response is not valid JSON. Check that its URL points to an A2A agent.";
/** What streams events is an agent: its address is right. */
const NO_JSON_EVENT = 'An event of the agent is not valid JSON. Report this to its operator.';

export function parseJson(text: string, problem = NO_JSON): unknown {
  if (isDeeperThan(text, MAX_LEVELS)) {
    throw new A2AError(
      'INVALID_AGENT_RESPONSE',
      `The agent's response is nested too deeply (limit: ${MAX_LEVELS} levels). Report this to its operator.`,
    );
  }
  if (hasMoreValuesThan(text, MAX_VALUES)) throw tooManyValues();
  try {
    return JSON.parse(text);
  } catch {
    throw new A2AError('INVALID_AGENT_RESPONSE', problem);
  }
}

/**
 * Reads the whole body as text. If it is larger, or has too many values, the contents of its parts are moved to files, if there is
 * a folder for them; otherwise it is rejected, not truncated.
 */
async function readLimited(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  largeParts?: LargeParts,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const rest = body[Symbol.asyncIterator]();
  try {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      size += next.value.length;
      chunks.push(next.value);
      if (size <= maxBytes) continue;
      if (largeParts === undefined) throw tooLarge(maxBytes);
      const others = { [Symbol.asyncIterator]: () => rest };
      return await largeParts.receive(chunks.splice(0), others, remainder(maxBytes));
    }
    const text = Buffer.concat(chunks).toString();
    if (largeParts === undefined || !hasMoreValuesThan(text, MAX_VALUES)) return text;
    return await largeParts.receive(chunks, nothing(), remainder(maxBytes));
  } finally {
    await rest.return?.();
  }
}

/** The limits for what remains of a response when contents are in files. */
function remainder(maxBytes: number): Parameters<LargeParts['receive']>[2] {
  return { maxBytes, tooLarge: () => tooLarge(maxBytes), maxValues: MAX_VALUES, tooManyValues };
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** The errors of this file for responses that are too large, with what happened. */
const TOO_LARGE = new WeakMap<object, string>();

/** Whether a response was rejected because it is too large. */
export function isTooLarge(error: unknown): boolean {
  return tooLargeReason(error) !== undefined;
}

/** What happened if a response was too large, without advice: each surface has its own name for the limit. */
export function tooLargeReason(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? TOO_LARGE.get(error) : undefined;
}

export function tooLarge(maxBytes: number): A2AError {
  const reason = `The agent's response exceeds the limit of ${maxBytes} bytes`;
  const error = new A2AError(
    'INVALID_AGENT_RESPONSE',
    `${reason} (maxResponseBytes of A2AAgents, --max-response of "holdword mcp"). Ask the agent for less, or raise the limit.`,
  );
  TOO_LARGE.set(error, `${reason}.`);
  return error;
}

function tooManyValues(): A2AError {
  const reason = `The agent's response exceeds the limit of ${MAX_VALUES} values: objects, lists, texts and numbers.`;
  const error = new A2AError('INVALID_AGENT_RESPONSE', `${reason} Ask the agent for less.`);
  TOO_LARGE.set(error, reason);
  return error;
}
