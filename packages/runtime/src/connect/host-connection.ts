import {
  createGuardedClient,
  type GuardedClient,
  type GuardedResponse,
  isLoopback,
  readAtMost,
  readServerSentEvents,
} from '@holdword/net/internal';
import { shorten, trimEndOf } from '@holdword/protocol/internal';
import { z } from 'zod';
import { CONNECT_PATH, type News, newsSchema, type WorkerState } from './wire.ts';

/** A host said no, or said something that a host does not say. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly status: number;
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, status: number, retryAfterMilliseconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }

  /** The host does not know the worker: it has restarted, or has given the worker up. */
  get isUnknownWorker(): boolean {
    return this.status === 409;
  }

  /** The token is wrong. */
  get isRefused(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /** What was sent is wrong, and is wrong again if it is sent again. */
  get isInvalid(): boolean {
    return this.status === 400 || this.status === 413;
  }
}

const REQUEST_MILLISECONDS = 30_000;
/** A long poll takes up to half a minute, which the host sets. */
const POLL_MILLISECONDS = 90_000;
/** A stream that is open, and not buffered by a proxy, says so at once. */
const READY_MILLISECONDS = 5_000;
/** The host sends a comment at least every fifteen seconds. */
const SILENCE_MILLISECONDS = 45_000;
const MOST_EVENT_CHARACTERS = 64 * 1024 * 1024;
const MOST_ERROR_CHARACTERS = 500;

const pollAnswerSchema = z.object({ news: z.array(z.unknown()) });

/** A stream did not begin in time. */
export class StreamBuffered extends Error {
  override readonly name = 'StreamBuffered';
}

/**
 * The requests of a worker to its host. The token is sent nowhere else: redirects are refused, and plain HTTP is too, except
 * on this machine.
 */
export class HostConnection {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #client: GuardedClient;

  /** @throws TypeError if the URL cannot be that of a host. */
  constructor(host: string, token: string) {
    const problem = hostUrlProblem(host);
    if (problem !== undefined) throw new TypeError(problem);
    const url = new URL(host);
    this.#base = `${trimEndOf(url.href, '/')}${CONNECT_PATH}/`;
    this.#headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    this.#client = createGuardedClient({ trustedOrigins: [url.origin] });
  }

  /** Sends a request and reads its answer. */
  async post<Value>(
    route: string,
    body: string,
    schema: z.ZodType<Value>,
    options: { signal?: AbortSignal; milliseconds?: number } = {},
  ): Promise<Value> {
    const { signal, milliseconds = REQUEST_MILLISECONDS } = options;
    const response = await this.#client.send({
      url: `${this.#base}${route}`,
      method: 'POST',
      headers: { ...this.#headers, Accept: 'application/json' },
      body,
      timeoutMilliseconds: milliseconds,
      maxResponseBytes: MOST_EVENT_CHARACTERS,
      ...(signal && { signal }),
    });
    requireSuccess(response);
    return understood(schema, parse(response.body));
  }

  /** Waits for news. */
  async poll(state: WorkerState, signal: AbortSignal): Promise<News[]> {
    const options = { signal, milliseconds: POLL_MILLISECONDS };
    const { news } = await this.post('turns', JSON.stringify(state), pollAnswerSchema, options);
    return newsIn(news);
  }

  /** Yields news for as long as the stream is open. */
  async *stream(state: WorkerState, signal: AbortSignal): AsyncGenerator<News[]> {
    const silence = new AbortController();
    let timer = setTimeout(
      () => silence.abort(new StreamBuffered('The stream did not begin.')),
      READY_MILLISECONDS,
    );
    const heard = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(new Error('The stream is silent.')), SILENCE_MILLISECONDS);
    };
    try {
      const { status, headers, body } = await this.#client.open({
        url: `${this.#base}turns`,
        method: 'POST',
        headers: { ...this.#headers, Accept: 'text/event-stream' },
        body: JSON.stringify(state),
        timeoutMilliseconds: 2 * READY_MILLISECONDS,
        signal: AbortSignal.any([silence.signal, signal]),
      });
      if (status !== 200)
        requireSuccess({ status, headers, body: await readAtMost(body, MOST_ERROR_CHARACTERS) });
      const events = readServerSentEvents(hearing(body, heard), {
        length: MOST_EVENT_CHARACTERS,
        tooLong: () => new HostError('An event of the host is too large.', 0),
      });
      for await (const { type, data } of events) if (type === 'message') yield newsIn([parse(data)]);
    } catch (error) {
      throw silence.signal.aborted ? silence.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes connections that are kept for the next request. */
  close(): void {
    this.#client.close();
  }
}

/** Why a text cannot be the URL of a host. Undefined if it can. */
export function hostUrlProblem(host: string): string | undefined {
  if (!URL.canParse(host)) return `Expected the URL of a host, found "${shorten(host, 80)}".`;
  const { protocol, host: name, hostname, username, password, search, hash } = new URL(host);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return `A worker connects over https, found ${protocol}//${name}.`;
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return 'Expected the URL of a host without user, password, query and fragment.';
  return undefined;
}

/** Redirects are not followed, so they are errors. */
function requireSuccess({ status, headers, body }: GuardedResponse): void {
  if (status === 200) return;
  const seconds = Number(headers['retry-after']);
  throw new HostError(
    `The host answered ${status}: ${messageIn(shorten(body, MOST_ERROR_CHARACTERS))}`,
    status,
    seconds > 0 ? seconds * 1000 : undefined,
  );
}

async function* hearing(body: AsyncIterable<Buffer>, heard: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    heard();
    yield chunk;
  }
}

/** What a newer host may say, and this worker does not know, is ignored. */
function newsIn(list: readonly unknown[]): News[] {
  return list.flatMap((each) => {
    const { data } = newsSchema.safeParse(each);
    return data === undefined ? [] : [data as News];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HostError(`The answer of the host is not JSON: ${shorten(text, 100)}`, 0);
  }
}

function understood<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { data, success } = schema.safeParse(value);
  if (!success) throw new HostError('The answer of the host cannot be understood. Is it a Holdword host?', 0);
  return data;
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : text;
  } catch {
    return text;
  }
}
