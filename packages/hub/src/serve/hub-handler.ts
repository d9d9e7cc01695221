import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication, FallbackHandler, Observer } from '@holdword/runtime';
import { createJsonRpcResponder, readBody, requireJson } from '@holdword/runtime/internal';
import type { HubContext } from '../hub-part.ts';
import { toRestAnswer } from '../wire/encode-error.ts';
import { RestError } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubMethod, HubMount, HubRoute } from '../wire/hub-method.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import { createRequestAdmitter, rejectedCaller, sendAnswer } from './http-exchange.ts';
import { createRouteMatcher, type RouteMatch } from './match-route.ts';
import { createRpcEndpoint, fencedOperations, type RequireDriver } from './rpc-endpoint.ts';

export interface HubHandlerOptions {
  readonly context: HubContext;
  readonly authentication: Authentication;
  readonly methods: readonly HubMethod[];
  readonly routes: readonly HubRoute[];
  readonly mounts: readonly HubMount[];
  /** Throws a HubError if another agent holds the caller's task. */
  readonly requireDriver: RequireDriver;
  /** Notified of A2A requests. */
  readonly observer: Observer;
  /** Ends open streams when it aborts. */
  readonly signal: AbortSignal;
}

/** Creates the HTTP handler for all paths of a hub. */
export function createHubHandler(options: HubHandlerOptions): FallbackHandler {
  const { context, authentication, methods, observer, signal } = options;
  const { operations, settings, log, recordRejection } = context;
  const admitRequest = createRequestAdmitter(authentication, context);
  const answerStandard = createJsonRpcResponder({
    operations: fencedOperations(operations, options.requireDriver),
    authentication,
    log,
    observer,
    signal,
  });
  const answerRpc = createRpcEndpoint({
    context,
    methods,
    admitRequest,
    answerStandard,
    requireDriver: options.requireDriver,
  });
  const matchRoute = createRouteMatcher(options.routes, options.mounts);

  async function answerRoute(
    match: RouteMatch,
    query: string,
    request: IncomingMessage,
    requestContext: HubRequestContext,
  ) {
    const route = match.routes.find(
      ({ verb }) => verb === (request.method === 'HEAD' ? 'GET' : request.method),
    );
    if (route === undefined) throw wrongVerb(match.verbs);
    const body = route.verb === 'POST' ? await readJson(request, settings.bodyBytes) : undefined;
    return route.answer({
      requestContext,
      query: new URLSearchParams(query),
      segments: match.segments,
      body,
    });
  }

  async function answer(
    match: RouteMatch,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    let requestContext: HubRequestContext | undefined;
    try {
      const { mount } = match;
      requestContext = await admitRequest(request, response);
      if (mount === undefined)
        return sendAnswer(request, response, await answerRoute(match, query, request, requestContext));
      if (!mount.verbs.includes(request.method ?? '')) throw wrongVerb(mount.verbs);
      await mount.handle(request, response, requestContext);
    } catch (error) {
      reject(match.path, error, request, response, requestContext);
    }
  }

  function reject(
    path: string,
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    requestContext?: HubRequestContext,
  ): void {
    const rejection = toRestAnswer(error);
    recordRejection(requestContext ?? rejectedCaller(request), `${request.method} ${path}`, error);
    if (rejection.status >= 500)
      log.error('Internal error while handling a hub request.', { error: String(error) });
    sendAnswer(request, response, rejection);
  }

  return (path, query, request, response) => {
    if (path === HUB_PATHS.a2a || path === `${HUB_PATHS.a2a}/`) {
      if (request.method === 'POST') void answerRpc(request, response);
      else reject(HUB_PATHS.a2a, wrongVerb(['POST']), request, response);
      return true;
    }
    const match = matchRoute(path);
    if (match === undefined) return false;
    void answer(match, query, request, response);
    return true;
  };
}

async function readJson(request: IncomingMessage, bodyBytes: number): Promise<unknown> {
  requireJson(request);
  const body = await readBody(request, bodyBytes);
  try {
    return JSON.parse(body);
  } catch {
    throw new RestError(400, 'DELX-1000', 'Request body is not valid JSON.', 'Send a JSON body.');
  }
}

function wrongVerb(verbs: readonly string[]): RestError {
  return new RestError(
    405,
    'method_not_allowed',
    `This path supports only ${verbs.join(' and ')}.`,
    `Send the request with ${verbs.join(' or ')}.`,
    { Allow: verbs.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])).join(', ') },
  );
}
