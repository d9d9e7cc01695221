import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type AgentCard, type JsonObject } from '@holdword/protocol';
import {
  ALLOWED_VERBS_METADATA,
  checkArgument,
  hasMethods,
  shorten,
  trimEndOf,
} from '@holdword/protocol/internal';
import { z } from 'zod';
import type { MetricsSource } from '../observe/metrics.ts';
import type { ReadinessCheck } from '../observe/readiness.ts';
import type { Runtime } from '../runtime.ts';
import { DEFAULT_PATHS, type HandlerPaths } from './addresses.ts';
import { cardDocument, cardDocuments, sendDocument, type CardChoice } from './card-endpoint.ts';
import { Cors, type CorsOptions, corsSchema } from './cors.ts';
import { createHandlerContext, type HandlerContext, type HandlerContextOptions } from './handler-context.ts';
import { handleJsonRpc } from './json-rpc-endpoint.ts';
import { handleMetrics, handleReadiness } from './operator-endpoints.ts';
import { JSON_TYPE, sendHttpError, sendJson } from './respond.ts';
import { handleRest } from './rest-endpoint.ts';

/** What `createHttpHandler` serves, and how. */
export interface HttpHandlerOptions extends HandlerContextOptions {
  /** The public card, with its real addresses, and signed if it should be. */
  card: AgentCard;
  /**
   * Builds the card for a client that used the given origin, such as `https://agent.example`. Set if the server does
   * not know its public address.
   */
  cardFor?: ((origin: string) => AgentCard) | undefined;
  /**
   * The paths to serve.
   * @default the paths of the A2A specification
   */
  paths?: HandlerPaths | undefined;
  /** Rewrites bodies received on the unversioned path to A2A 1.0. */
  rewriteUnversioned?: ((body: string) => string) | undefined;
  /** The public keys that verify push notifications, as a JSON Web Key Set. */
  pushKeys?: Runtime['pushKeys'] | undefined;
  /** What this server offers, for `/.well-known/ai-catalog.json`. */
  catalog?: JsonObject | undefined;
  /** Serves `/readyz`. */
  readiness?: ReadinessCheck | undefined;
  /** Serves `/metrics`: only to authenticated callers, or to everyone. */
  metrics?: { source: MetricsSource; public: boolean } | undefined;
  /** A prefix of all paths, if the agent is mounted below a root: `/agents/demo`. */
  basePath?: string | undefined;
  /** Handles requests whose path is not one of the agent's. */
  fallback?: FallbackHandler | undefined;
  /**
   * Which web pages of other origins may call this server, its fallback included. Every page may read the card.
   * @default none
   */
  cors?: CorsOptions | undefined;
}

/**
 * Handles requests that are not A2A on the server of an agent. Returns whether the path is one of its own; if so, it
 * responds.
 */
export type FallbackHandler = (
  path: string,
  query: string,
  request: IncomingMessage,
  response: ServerResponse,
) => boolean;

/** Handles a request of a `node:http` server. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a program in JavaScript gets wrong most easily. */
const optionsSchema = z.looseObject({
  operations: z.custom<HttpHandlerOptions['operations']>(
    (value) => hasMethods(value, 'sendMessage', 'getTask'),
    'expected the operations of a runtime, such as (await startRuntime({ store, executor })).operations',
  ),
  card: z.custom<AgentCard>(
    (value) => typeof (value as Partial<AgentCard> | undefined)?.name === 'string',
    'expected a card, such as await buildServedCard({ agent, url, authentication, hasExtendedCard: false })',
  ),
  authentication: z.custom<HttpHandlerOptions['authentication']>(
    (value) => hasMethods(value, 'authenticate'),
    'expected an authentication, such as noAuthentication()',
  ),
  cors: corsSchema.optional(),
});

/**
 * Creates a handler that serves an agent on any `node:http` server: its cards, JSON-RPC and REST, A2A 1.0 and 0.3.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 *
 * const runtime = await startRuntime({
 *   store: openMemoryStore(),
 *   executor: { execute: (turn, sink) => sink.complete('Hello.') },
 * });
 * const authentication = noAuthentication();
 * const card = await buildServedCard({
 *   agent: runtime.agent,
 *   url: 'http://127.0.0.1:4310',
 *   authentication,
 *   hasExtendedCard: false,
 * });
 * createServer(createHttpHandler({ operations: runtime.operations, card, authentication })).listen(4310);
 * ```
 * @throws TypeError if an option is not what it should be.
 */
export function createHttpHandler(options: HttpHandlerOptions): HttpHandler {
  checkArgument('createHttpHandler({ operations, card, authentication })', optionsSchema, options);
  const { extensions } = options.card.capabilities;
  const handler = createHandlerContext({ extensions, ...options });
  const basePath = trimEndOf(options.basePath ?? '', '/');
  const paths = options.paths ?? DEFAULT_PATHS;
  const routes = routesOf(options, handler, paths, basePath);
  const cors = new Cors(options.cors, options.authentication.securitySchemes);
  const { varies } = cors;
  const rest = paths.rest === undefined ? undefined : `${paths.rest}/`;
  return (request, response) => {
    const { url = '/' } = request;
    const queryStart = url.includes('?') ? url.indexOf('?') : url.length;
    const fullPath = url.slice(0, queryStart);
    const query = url.slice(queryStart + 1);
    const path =
      basePath !== '' && fullPath.startsWith(basePath) ? fullPath.slice(basePath.length) : fullPath;
    const route = routes.get(path);
    const isRest = route === undefined && rest !== undefined && path.startsWith(rest);
    if (varies && request.method !== 'POST') response.setHeader('Vary', 'Origin');
    if (request.headers.origin !== undefined) {
      // A fallback may have rules for pages of its own.
      const isOurs = route !== undefined || isRest || options.cors !== undefined;
      if (isOurs && cors.answer(request, response, route?.isPublic)) return;
    }
    if (route !== undefined) {
      if (route.verbs.includes(request.method ?? '')) route.handle(request, response, query);
      else sendNotAllowed(request, response, route.verbs);
    } else if (isRest) {
      const target = { path: path.slice(rest.length - 1), fullPath, query };
      void handleRest(handler, request, response, target);
    } else if (options.fallback?.(path, query, request, response) !== true) {
      sendNotFound(response, fullPath, `${basePath}${paths.card}`);
    }
  };
}

interface Route {
  readonly verbs: readonly string[];
  /** The pages of every origin may read it. */
  readonly isPublic?: boolean;
  handle(request: IncomingMessage, response: ServerResponse, query: string): void;
}

/** The routes with a fixed path. If two have the same path, the first one counts. */
function routesOf(
  options: HttpHandlerOptions,
  handler: HandlerContext,
  paths: HandlerPaths,
  basePath: string,
): ReadonlyMap<string, Route> {
  const startedAt = new Date();
  const cards = cardDocuments(options, startedAt);
  const { pushKeys, readiness, metrics, rewriteUnversioned: rewrite } = options;
  const { name, description } = options.card;
  const overview = JSON.stringify({
    agent: name,
    description,
    protocol: 'A2A',
    card: `${basePath}${paths.card}`,
  });

  const jsonRpc = post((request, response, query) => void handleJsonRpc(handler, request, response, query));
  const unversioned = post((request, response, query) => {
    void handleJsonRpc(handler, request, response, query, { unversionedIsCurrent: true, rewrite });
  });
  const sendCard = (choose: CardChoice): Route => ({
    ...get((request, response, query) => sendDocument(choose(request, query), request, response)),
    isPublic: true,
  });
  const home = get((_, response) => sendJson(response, 200, JSON_TYPE, overview));
  const keySet = pushKeys && cardDocument(pushKeys, startedAt);
  const catalog = options.catalog && cardDocument(options.catalog, startedAt, 'application/ai-catalog+json');

  const routes: [path: string | undefined, route: Route | undefined][] = [
    [paths.jsonRpc, jsonRpc],
    [`${paths.jsonRpc}/`, jsonRpc],
    [paths.unversionedJsonRpc, unversioned],
    [paths.card, sendCard(cards.requested)],
    [paths.legacyCard, sendCard(cards.legacy)],
    [paths.pushKeys, keySet && sendCard(() => keySet)],
    [paths.catalog, catalog && sendCard(() => catalog)],
    ['/healthz', get((_, response) => sendJson(response, 200, JSON_TYPE, '{"status":"ok"}'))],
    ['/readyz', readiness && get((_, response) => void handleReadiness(readiness, response))],
    [
      '/metrics',
      metrics && get((request, response) => void handleMetrics(handler, metrics, request, response)),
    ],
    ['/', home],
    ['', home],
  ];
  const served = new Map<string, Route>();
  for (const [path, route] of routes) {
    if (path !== undefined && route !== undefined && !served.has(path)) served.set(path, route);
  }
  return served;
}

function get(handle: Route['handle']): Route {
  return { verbs: ['GET', 'HEAD'], handle };
}

function post(handle: Route['handle']): Route {
  return { verbs: ['POST'], handle };
}

function sendNotAllowed(request: IncomingMessage, response: ServerResponse, verbs: readonly string[]): void {
  const allowed = verbs.join(', ');
  const message = `Method ${request.method ?? ''} is not allowed at this path. Use ${allowed}.`;
  sendHttpError(
    response,
    new A2AError('METHOD_NOT_FOUND', message, { metadata: { [ALLOWED_VERBS_METADATA]: allowed } }),
  );
}

function sendNotFound(response: ServerResponse, path: string, cardPath: string): void {
  const found = JSON.stringify(shorten(path, 200));
  sendHttpError(
    response,
    new A2AError(
      'METHOD_NOT_FOUND',
      `Path ${found} not found. The agent card at ${cardPath} lists the agent's URLs.`,
    ),
  );
}
