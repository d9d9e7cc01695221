import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type AgentCard } from '@holdword/protocol';
import {
  ALLOWED_VERBS_METADATA,
  toHttpError,
  toLegacyCard,
  toSharedCard,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import type { MetricsSource } from '../observe/metrics.ts';
import type { ReadinessCheck } from '../observe/readiness.ts';
import type { Runtime } from '../runtime.ts';
import { cardDocument, handleCard, type CardDocument } from './card-endpoint.ts';
import { createHandlerContext, type HandlerContextOptions } from './handler-context.ts';
import { handleJsonRpc } from './json-rpc-endpoint.ts';
import { handleMetrics, handleReadiness } from './operator-endpoints.ts';
import { DEFAULT_PATHS, pathOf, requestOrigin, type HandlerPaths } from './addresses.ts';
import { JSON_TYPE, sendJson } from './respond.ts';
import { handleRest } from './rest-endpoint.ts';

/** What `createHttpHandler` serves, and how. */
export interface HttpHandlerOptions extends HandlerContextOptions {
  /** The public card, with its real addresses, and signed if it should be. */
  card: AgentCard;
  /**
   * Builds the card for a client that used the given origin, such as `https://agent.example`. Set if the server does
   * not know its public address.
   */
  cardFor?: (origin: string) => AgentCard;
  /** Whether the card also has the fields of 0.3, for 0.3 clients that read it without sending a version. */
  sharedCard?: boolean;
  /**
   * The paths to serve.
   * @default the paths of the A2A specification
   */
  paths?: HandlerPaths;
  /** Rewrites bodies received on the unversioned path to A2A 1.0. */
  rewriteUnversioned?: (body: string) => string;
  /** The public keys that verify push notifications, as a JSON Web Key Set. */
  pushKeys?: Runtime['pushKeys'];
  /** Serves `/readyz`. */
  readiness?: ReadinessCheck;
  /** Serves `/metrics`: only to authenticated callers, or to everyone. */
  metrics?: { source: MetricsSource; public: boolean };
  /** A prefix of all paths, if the agent is mounted below a root: `/agents/demo`. */
  basePath?: string;
  /** Handles requests whose path is not one of the agent's. */
  fallback?: FallbackHandler;
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
 */
export function createHttpHandler(options: HttpHandlerOptions): HttpHandler {
  const handler = createHandlerContext(options);
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const paths = options.paths ?? DEFAULT_PATHS;
  const startedAt = new Date();
  const documentsOf = (card: AgentCard): CardDocuments => ({
    current: cardDocument(options.sharedCard === true ? toSharedCard(card) : card, startedAt),
    legacy: cardDocument(toLegacyCard(card), startedAt),
  });
  const knownDocuments = documentsOf(options.card);
  const documentsFor = (request: IncomingMessage): CardDocuments =>
    options.cardFor === undefined ? knownDocuments : documentsOf(options.cardFor(requestOrigin(request)));
  const keySet = options.pushKeys && cardDocument(options.pushKeys, startedAt);
  const overview = JSON.stringify({
    agent: options.card.name,
    description: options.card.description,
    protocol: 'A2A',
    card: `${basePath}${paths.card}`,
  });

  function route(path: string, query: string, request: IncomingMessage, response: ServerResponse): void {
    if (path === paths.jsonRpc || path === `${paths.jsonRpc}/`) {
      if (allowOnly('POST', request, response)) void handleJsonRpc(handler, request, response, query);
    } else if (path === paths.unversionedJsonRpc) {
      if (allowOnly('POST', request, response)) {
        const unversioned = { unversionedIsCurrent: true, rewrite: options.rewriteUnversioned };
        void handleJsonRpc(handler, request, response, query, unversioned);
      }
    } else if (paths.rest !== undefined && path.startsWith(`${paths.rest}/`)) {
      void handleRest(handler, request, response, path.slice(paths.rest.length), query);
    } else if (path === paths.card) {
      if (allowOnly('GET, HEAD', request, response)) {
        const { current, legacy } = documentsFor(request);
        handleCard(asksForLegacyCard(request, query) ? legacy : current, request, response);
      }
    } else if (path === paths.legacyCard) {
      if (allowOnly('GET, HEAD', request, response)) {
        handleCard(documentsFor(request).legacy, request, response);
      }
    } else if (path === paths.pushKeys && keySet !== undefined) {
      if (allowOnly('GET, HEAD', request, response)) handleCard(keySet, request, response);
    } else if (path === '/healthz') {
      if (allowOnly('GET, HEAD', request, response)) sendJson(response, 200, JSON_TYPE, '{"status":"ok"}');
    } else if (path === '/readyz' && options.readiness !== undefined) {
      if (allowOnly('GET, HEAD', request, response)) void handleReadiness(options.readiness, response);
    } else if (path === '/metrics' && options.metrics !== undefined) {
      if (allowOnly('GET, HEAD', request, response))
        void handleMetrics(handler, options.metrics, request, response);
    } else if (path === '/' || path === '') {
      if (allowOnly('GET, HEAD', request, response)) sendJson(response, 200, JSON_TYPE, overview);
    } else if (options.fallback?.(path, query, request, response) !== true) {
      sendNotFound(response, path, paths.card);
    }
  }

  return (request, response) => {
    const path = pathOf(request);
    const query = (request.url ?? '').slice(path.length + 1);
    const below = basePath !== '' && path.startsWith(basePath) ? path.slice(basePath.length) : path;
    route(below, query, request, response);
  };
}

interface CardDocuments {
  readonly current: CardDocument;
  readonly legacy: CardDocument;
}

/** 0.3 clients read their card at the same path. Only those that send their version can be recognized. */
function asksForLegacyCard(request: IncomingMessage, query: string): boolean {
  const asked = request.headers['a2a-version'] ?? new URLSearchParams(query).get(VERSION_PARAMETER);
  return String(asked).startsWith('0.3');
}

function allowOnly(verbs: string, request: IncomingMessage, response: ServerResponse): boolean {
  const verb = request.method ?? '';
  if (verbs.split(', ').includes(verb)) return true;
  sendHttpError(
    response,
    new A2AError('METHOD_NOT_FOUND', `Method ${verb} is not allowed at this path. Use ${verbs}.`, {
      metadata: { [ALLOWED_VERBS_METADATA]: verbs },
    }),
  );
  return false;
}

function sendNotFound(response: ServerResponse, path: string, cardPath: string): void {
  const found = JSON.stringify(path.slice(0, 200));
  sendHttpError(
    response,
    new A2AError(
      'METHOD_NOT_FOUND',
      `Path ${found} not found. The agent card at ${cardPath} lists the agent's URLs.`,
    ),
  );
}

function sendHttpError(response: ServerResponse, error: A2AError): void {
  const { status, headers, body } = toHttpError(error);
  sendJson(response, status, JSON_TYPE, JSON.stringify(body), headers);
}
