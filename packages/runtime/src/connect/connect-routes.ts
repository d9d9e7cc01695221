import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError } from '@holdword/protocol';
import { describeIssues, Timer, toHttpError, toPublicError } from '@holdword/protocol/internal';
import type { z } from 'zod';
import type { AgentDescription } from '../agent-description.ts';
import { limitExceeded, RateLimiter } from '../caller-limits.ts';
import { DEFAULT_RUNTIME_OPTIONS } from '../defaults.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { bearerToken, unauthenticated } from '../serve/auth/authentication.ts';
import { KeepAlive } from '../serve/event-stream.ts';
import type { FallbackHandler } from '../serve/http-handler.ts';
import { logFailure } from '../serve/log-failure.ts';
import { readBody, requireJson } from '../serve/request-body.ts';
import { JSON_TYPE, sendAndClose, sendJson } from '../serve/respond.ts';
import type { AgentPool, ConnectedWorker } from './agent-pool.ts';
import type { ConnectHost } from './connect-host.ts';
import {
  agentOfToken,
  type AgentRecords,
  type ConnectedAgent,
  describeConnectedAgent,
} from './connected-agents.ts';
import {
  byeSchema,
  CONNECT_PATH,
  helloSchema,
  historySchema,
  type News,
  pollSchema,
  reportSchema,
  type Welcome,
  type WorkerState,
} from './wire.ts';

export interface ConnectRoutesOptions {
  readonly host: ConnectHost;
  readonly records: AgentRecords;
  /** Where callers find the agent of this name. */
  readonly urlOf: (agent: string) => string;
  readonly log: Log;
  readonly observer: Observer;
  /** Is told what a worker says about its agent. */
  readonly onDescribed: (agent: ConnectedAgent) => void;
  readonly keepAliveSeconds: number;
  readonly stalledStreamSeconds: number;
  readonly longPollSeconds: number;
  /** Of one agent, all its workers together. */
  readonly requestsPerMinute: number;
  readonly maxEventBytes?: number | undefined;
  /** Fires when the server stops: workers are sent away, and come back to the next one. */
  readonly signal: AbortSignal;
}

const SMALL_BODY_BYTES = 512 * 1024;
/** What a report has besides its largest event. */
const REPORT_SPARE_BYTES = 2 * 1024 * 1024;
const MOST_WORKERS = 2_500;
/** What may wait for a worker that reads slowly. It asks again, and gets what it does not have. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** A request of a worker whose token is good. */
interface WorkerRequest {
  readonly agent: ConnectedAgent;
  readonly pool: AgentPool;
  readonly body: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a route answers with. Undefined if it writes the response itself. */
type Answer = object | undefined;

/**
 * The requests of workers, below `/connect/v1/`.
 *
 * Responsible for who may ask (a token is good for the turns of one agent and nothing else), for the size and number of
 * requests, and for streams and long polls. Leaves turns to the pools.
 */
export class ConnectRoutes {
  readonly #options: ConnectRoutesOptions;
  readonly #keepAlive: KeepAlive;
  readonly #rate: RateLimiter;
  readonly #routes: Readonly<Record<string, (request: WorkerRequest) => Promise<Answer>>>;

  constructor(options: ConnectRoutesOptions) {
    this.#options = options;
    this.#keepAlive = new KeepAlive(options);
    this.#rate = new RateLimiter(options.requestsPerMinute);
    this.#routes = {
      hello: (request) => this.#hello(request),
      turns: (request) => this.#turns(request),
      report: (request) => this.#report(request),
      history: (request) => this.#history(request),
      bye: (request) => this.#bye(request),
    };
    options.signal.addEventListener('abort', () => this.#keepAlive.endAll(), { once: true });
  }

  readonly handle: FallbackHandler = (path, _query, request, response) => {
    if (!path.startsWith(`${CONNECT_PATH}/`)) return false;
    void this.#answer(path.slice(CONNECT_PATH.length + 1), request, response);
    return true;
  };

  async #answer(route: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let agent: ConnectedAgent | undefined;
    try {
      agent = await this.#authenticate(request);
      const run = Object.hasOwn(this.#routes, route) ? this.#routes[route] : undefined;
      if (run === undefined || request.method !== 'POST') {
        throw new A2AError(
          'METHOD_NOT_FOUND',
          `Workers use POST below ${CONNECT_PATH}/: hello, turns, report, history, bye.`,
        );
      }
      this.#takeRate(agent);
      requireJson(request);
      const { maxEventBytes = DEFAULT_RUNTIME_OPTIONS.maxEventBytes } = this.#options;
      const limit = route === 'report' ? maxEventBytes + REPORT_SPARE_BYTES : SMALL_BODY_BYTES;
      const body = parseJson(await readBody(request, limit));
      const pool = this.#options.host.pool(agent.name);
      const answer = await run({ agent, pool, body, request, response });
      if (answer !== undefined && !response.closed)
        sendJson(response, 200, JSON_TYPE, JSON.stringify(answer));
    } catch (error) {
      this.#fail(route, agent, request, response, error);
    }
  }

  /** A token that was rotated works no longer, so it is looked up each time. */
  async #authenticate(request: IncomingMessage): Promise<ConnectedAgent> {
    const token = bearerToken(request.headers);
    const agent = token === undefined ? undefined : await agentOfToken(this.#options.records, token);
    if (agent !== undefined) return agent;
    throw unauthenticated(
      'Workers need the token of their agent, as "Authorization: Bearer TOKEN". "holdword agents add NAME" prints one on the host.',
    );
  }

  #takeRate({ name }: ConnectedAgent): void {
    if (this.#options.requestsPerMinute === 0) return;
    const { allowed, resetSeconds } = this.#rate.take(name);
    if (allowed) return;
    throw limitExceeded(
      { limit: 'requestsPerMinute', scope: 'caller', retryAfterSeconds: Math.ceil(resetSeconds) },
      `Rate limit exceeded (${this.#rate.perMinute} requests per minute of all workers of an agent).`,
    );
  }

  async #hello({ agent, body, request }: WorkerRequest): Promise<Answer> {
    const { host, records, urlOf, onDescribed, log } = this.#options;
    const hello = accepted(helloSchema, body);
    if (hello.card !== undefined)
      onDescribed(await describeConnectedAgent(records, agent.name, hello.card as AgentDescription));
    const pool = host.pool(agent.name);
    if (pool.workers.length >= MOST_WORKERS && pool.seen(hello) === undefined)
      throw limitExceeded(
        { limit: 'workers', scope: 'caller', retryAfterSeconds: 60 },
        `Agent ${agent.name} has ${MOST_WORKERS} workers, which is the limit.`,
      );
    const { id } = pool.hello(hello);
    log.info('A worker has connected.', { agent: agent.name, worker: id, slots: hello.slots });
    this.#note('worker-connected', agent.name, id, request);
    const { leaseMilliseconds } = host;
    const welcome: Welcome = { agent: agent.name, url: urlOf(agent.name), leaseMilliseconds };
    return welcome;
  }

  /** Answers with a stream of news, or with the first of them if the worker does not want a stream. */
  async #turns({ agent, body, request, response }: WorkerRequest): Promise<Answer> {
    const state = accepted(pollSchema, body);
    const stale = await this.#staleOf(agent.name, state);
    const pool = this.#options.host.pool(agent.name);
    const worker = pool.seen(state);
    if (worker === undefined) return unknownWorker(response);
    // A worker listens once: it has given up an earlier request, which its host may not know yet.
    worker.listener?.([]);
    const news = [...stale, ...pool.newsFor(worker, state.holds)];
    if (request.headers.accept?.includes('text/event-stream') === true) {
      this.#stream(pool, worker, news, response);
      return undefined;
    }
    return { news: news.length > 0 ? news : await this.#firstNews(pool, worker, response) };
  }

  #stream(pool: AgentPool, worker: ConnectedWorker, first: readonly News[], response: ServerResponse): void {
    const open = {
      response,
      wroteSinceBeat: true,
      stalledSeconds: 0,
      end: () => void response.end(),
    };
    const listener = (news: readonly News[]): void => {
      if (news.length === 0) {
        stop();
        response.end();
        return;
      }
      if (response.writableLength > MOST_UNREAD_BYTES) {
        response.destroy();
        return;
      }
      open.wroteSinceBeat = true;
      response.write(news.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
    };
    const stop = (): void => {
      this.#keepAlive.delete(open);
      if (worker.listener === listener) worker.listener = undefined;
    };
    response.writeHead(200, STREAM_HEADERS);
    // A worker that does not see this soon is behind a proxy that buffers, and polls instead.
    response.write('event: ready\ndata: {}\n\n');
    this.#keepAlive.add(open);
    response.on('close', stop);
    if (first.length > 0) listener(first);
    pool.listen(worker, listener);
  }

  #firstNews(pool: AgentPool, worker: ConnectedWorker, response: ServerResponse): Promise<readonly News[]> {
    return new Promise((resolve) => {
      const { longPollSeconds, signal } = this.#options;
      const listener = (news: readonly News[]): void => {
        timer[Symbol.dispose]();
        if (worker.listener === listener) worker.listener = undefined;
        signal.removeEventListener('abort', end);
        response.off('close', end);
        resolve(news);
      };
      const end = (): void => listener([]);
      const timer = new Timer(longPollSeconds * 1000, end);
      signal.addEventListener('abort', end);
      response.on('close', end);
      pool.listen(worker, listener);
    });
  }

  async #report({ agent, body, response }: WorkerRequest): Promise<Answer> {
    const { batches, ...state } = accepted(reportSchema, body);
    const stale = await this.#staleOf(agent.name, state);
    const { host } = this.#options;
    const pool = host.pool(agent.name);
    const worker = pool.seen(state);
    if (worker === undefined) return unknownWorker(response);
    // Before the batches: a turn that they end is not one that the worker should drop. New turns are told where it listens.
    const news = [...stale, ...pool.newsFor(worker, state.holds).filter((each) => 'abort' in each)];
    const receipts = await Promise.all(batches.map((batch) => host.receive(agent.name, worker, batch)));
    return { receipts, news };
  }

  /** The turns that a worker has to drop: the journal says that they are over, or another's. */
  async #staleOf(agent: string, { worker: id, holds }: WorkerState): Promise<News[]> {
    const { host } = this.#options;
    const pool = host.pool(agent);
    const worker = pool.workers.find((each) => each.id === id);
    if (worker === undefined) return [];
    const stale: News[] = [];
    for (const { taskId, fence } of pool.unknownOf(worker, holds)) {
      if ((await host.outcomeOf(agent, { taskId, fence })) !== 'later')
        stale.push({ abort: { taskId, fence, reason: 'stale' } });
    }
    return stale;
  }

  async #history({ pool, body, response }: WorkerRequest): Promise<Answer> {
    const { worker: id, limit, ...lease } = accepted(historySchema, body);
    const worker = pool.workers.find((each) => each.id === id);
    if (worker === undefined) return unknownWorker(response);
    const turn = pool.held(worker, lease);
    if (turn === undefined)
      throw new A2AError('TASK_NOT_FOUND', 'This worker does not have the turn, or no longer.');
    return { messages: await turn.turn.contextHistory(limit) };
  }

  async #bye({ agent, pool, body, request }: WorkerRequest): Promise<Answer> {
    const { worker } = accepted(byeSchema, body);
    pool.leave(worker);
    this.#note('worker-left', agent.name, worker, request);
    return {};
  }

  /** Who worked for an agent, and when, belongs in the audit log. */
  #note(event: string, agent: string, worker: string, { socket }: IncomingMessage): void {
    this.#options.observer.fallbackActed?.({
      event,
      ownerKey: undefined,
      agent,
      peer: socket.remoteAddress,
      about: { worker },
    });
  }

  #fail(
    route: string,
    agent: ConnectedAgent | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
  ): void {
    const { log, observer } = this.#options;
    logFailure(log, error);
    const { code } = toPublicError(error);
    observer.fallbackRejected?.({
      operation: Object.hasOwn(this.#routes, route) ? `connect/${route}` : undefined,
      named: agent?.name,
      peer: request.socket.remoteAddress,
      code,
    });
    if (response.closed) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, headers, body } = toHttpError(error);
    const json = JSON.stringify(body);
    if (!request.complete) sendAndClose(request, response, status, JSON_TYPE, json);
    else {
      sendJson(response, status, JSON_TYPE, json, {
        ...headers,
        ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' }),
      });
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new A2AError('PARSE_ERROR', 'Request body is not valid JSON.');
  }
}

function accepted<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const { data, error } = schema.safeParse(body);
  if (error !== undefined)
    throw new A2AError('INVALID_PARAMS', `Invalid request: ${describeIssues(error.issues, body)}.`);
  return data;
}

/** The host has restarted, or has given the worker up: it says hello, and keeps its turns. */
function unknownWorker(response: ServerResponse): undefined {
  sendJson(response, 409, JSON_TYPE, '{"error":"unknown-worker"}');
}
