import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { A2AError, isA2AError } from '@holdword/protocol';
import {
  ALLOWED_VERBS_METADATA,
  decodeRequest,
  shorten,
  toHttpError,
  toPublicError,
} from '@holdword/protocol/internal';
import type { FallbackHandler, Log, Observer } from '@holdword/runtime';
import { JSON_TYPE, readBody, requireJson, sendAndClose, sendJson } from '@holdword/runtime/internal';
import { isStoreError } from '@holdword/store';
import { ENDPOINTS, type Endpoint } from '../api/endpoints.ts';
import { API_PATH, ROUTES, type Route, type RouteName } from '../api/routes.ts';
import type { SignIn } from '../api/session.ts';
import type { ApiHandlers, ApiRequest, FileAnswer } from './api-request.ts';
import type { Assets } from './assets.ts';
import type { Streams } from './streams.ts';
import type { Sessions, StartedSession, Viewer } from './sessions.ts';

/** Files in messages are base64. */
const MOST_BODY_BYTES = 32 * 1024 * 1024;

export interface ConsoleHandlerOptions {
  /** Where the console is mounted: `/console`. */
  readonly path: string;
  /** The public URL of the server, without the path of the console. */
  readonly serverUrl: string;
  readonly handlers: ApiHandlers;
  readonly sessions: Sessions;
  readonly cookieName: string;
  readonly assets: Assets;
  readonly streams: Streams;
  readonly observer: Observer;
  readonly log: Log;
}

/** What a page of the console may do: load from this server, run nothing that is not a file of it, and be framed by nobody. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
/** What an answer of the API may do if a browser is made to show it: nothing. Media of artifacts may be shown by the console. */
const ANSWER_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
const MEDIA_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

const SECURITY_HEADERS: OutgoingHttpHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

interface MatchedRoute {
  readonly name: RouteName;
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Handles the requests below the path of the console: the files of its page, and its API.
 *
 * Responsible for who may send what: a session or a credential, the role that a route needs, and the page that sends it, because
 * browsers send cookies by themselves. Leaves answers to the handlers, which see only validated requests.
 */
export function createConsoleHandler(options: ConsoleHandlerOptions): FallbackHandler {
  const { path: base, assets } = options;
  const api = `${base}${API_PATH}`;
  const match = createMatcher();
  return (path, query, request, response) => {
    if (path === base) {
      // Relative URLs of the page need the slash.
      response
        .writeHead(308, { Location: `${base.slice(base.lastIndexOf('/') + 1)}/`, ...SECURITY_HEADERS })
        .end();
      return true;
    }
    if (!path.startsWith(`${base}/`)) return false;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value ?? '');
    if (path === api || path.startsWith(`${api}/`)) {
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Content-Security-Policy', ANSWER_POLICY);
      void answerApi(options, match, path.slice(api.length), query, request, response);
    } else {
      response.setHeader('Content-Security-Policy', PAGE_POLICY);
      void assets.send(path.slice(base.length), request, response);
    }
    return true;
  };
}

async function answerApi(
  options: ConsoleHandlerOptions,
  match: ReturnType<typeof createMatcher>,
  path: string,
  query: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let viewer: Viewer | undefined;
  let name: RouteName | undefined;
  try {
    const matched = match(request.method ?? 'GET', path);
    name = matched.name;
    viewer = await admit(options, matched.route, request);
    const endpoint: Endpoint = ENDPOINTS[name];
    const input = {
      viewer,
      parameters: matched.parameters,
      query: endpoint.query ? decodeRequest(endpoint.query, readQuery(query)) : {},
      body: endpoint.body ? decodeRequest(endpoint.body, await readJson(request)) : undefined,
      lastEventId: readEventId(request.headers['last-event-id']),
      peer: request.socket.remoteAddress,
      signal: options.streams.signalOf(response),
    } as ApiRequest<never>;
    await answer(options, matched, input, request, response);
  } catch (error) {
    reject(options, error, { operation: name, viewer }, request, response);
  }
}

async function answer(
  options: ConsoleHandlerOptions,
  { name, route }: MatchedRoute,
  input: ApiRequest<never>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { handlers, sessions, streams } = options;
  if (name === 'signIn') {
    const started = await signIn(sessions, input.body as SignIn);
    response.setHeader('Set-Cookie', cookie(options, started));
    return send(
      response,
      await handlers.getSession({ ...input, viewer: started.viewer } as ApiRequest<'getSession'>),
    );
  }
  if (name === 'signOut') {
    await sessions.end(request);
    response.setHeader('Set-Cookie', cookie(options, undefined));
    return send(
      response,
      await handlers.getSession({ ...input, viewer: undefined } as ApiRequest<'getSession'>),
    );
  }
  // The schemas have made sure that the request fits its handler.
  const handle = handlers[name] as (request: ApiRequest<never>) => Promise<unknown>;
  const result = await handle(input);
  if (route.answer === 'json') send(response, result);
  else if (route.answer === 'events') {
    const isStillAllowed = async () => (await sessions.find(request).catch(() => undefined)) !== undefined;
    await streams.sendEvents(response, result as AsyncIterable<string>, input.signal, isStillAllowed);
  } else await sendFile(streams, response, result as FileAnswer);
}

function send(response: ServerResponse, value: unknown): void {
  sendJson(response, 200, JSON_TYPE, JSON.stringify(value));
}

async function sendFile(streams: Streams, response: ServerResponse, file: FileAnswer): Promise<void> {
  const disposition = file.inline ? 'inline' : 'attachment';
  if (file.inline) response.setHeader('Content-Security-Policy', MEDIA_POLICY);
  response.writeHead(200, {
    'Content-Type': file.contentType,
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
  await streams.sendPieces(response, file.pieces);
}

function signIn(sessions: Sessions, body: SignIn): Promise<StartedSession> {
  return 'link' in body ? sessions.startWithLink(body.link) : sessions.startWithCredential(body.credential);
}

/** Finds out who sends a request, and refuses those who may not. */
async function admit(
  options: ConsoleHandlerOptions,
  route: Route,
  request: IncomingMessage,
): Promise<Viewer | undefined> {
  const { sessions } = options;
  requireOwnPage(options, request);
  const viewer = await sessions.find(request);
  if (route.access === 'anyone') return viewer;
  if (viewer === undefined) {
    throw new A2AError('UNAUTHENTICATED', 'Sign in first: the session is missing or has expired.');
  }
  if (route.access === 'operator' && !viewer.isOperator) {
    throw new A2AError(
      'PERMISSION_DENIED',
      'Only operators may do this. Sign in with the key of an operator.',
    );
  }
  return viewer;
}

/**
 * Browsers send the cookie with requests that other pages make. Newer ones say who makes them; a request that changes something
 * must come from a page of this server. Programs send a credential and no cookie, and need no page.
 */
function requireOwnPage({ sessions, serverUrl }: ConsoleHandlerOptions, request: IncomingMessage): void {
  const { origin, host = '', 'sec-fetch-site': site } = request.headers;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isOwnOrigin =
    origin !== undefined &&
    (origin === new URL(serverUrl).origin || origin === `http://${host}` || origin === `https://${host}`);
  const isForeignOrigin = origin === undefined ? !isRead && sessions.hasCookie(request) : !isOwnOrigin;
  if (!isForeignSite && !isForeignOrigin) return;
  throw new A2AError(
    'PERMISSION_DENIED',
    `The request comes from another page (Origin: ${shorten(origin ?? 'none', 100)}). Use the console itself.`,
  );
}

function cookie(options: ConsoleHandlerOptions, started: StartedSession | undefined): string {
  const { cookieName, path, serverUrl } = options;
  const { pathname, protocol } = new URL(serverUrl);
  const prefix = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  return [
    `${cookieName}=${started?.secret ?? ''}`,
    'HttpOnly',
    'SameSite=Strict',
    `Path=${prefix}${path}`,
    `Max-Age=${started?.maxAgeSeconds ?? 0}`,
    ...(protocol === 'https:' ? ['Secure'] : []),
  ].join('; ');
}

function reject(
  { observer, log }: ConsoleHandlerOptions,
  error: unknown,
  { operation, viewer }: { operation: RouteName | undefined; viewer: Viewer | undefined },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const known = publicError(error);
  const { status, headers } = toHttpError(known);
  if (known.code === 'UNAUTHENTICATED' || known.code === 'PERMISSION_DENIED') {
    const peer = request.socket.remoteAddress;
    const ownerKey = viewer?.ownerKey;
    observer.fallbackRejected?.({ operation, named: undefined, ownerKey, peer, code: known.code });
  }
  if (status >= 500 && !isA2AError(error))
    log.error('Internal error while handling a request of the console.', { error: String(error) });
  if (response.closed) return;
  const json = JSON.stringify({ error: { code: known.code, message: known.message } });
  if (response.headersSent) response.destroy();
  else if (known.code === 'REQUEST_TOO_LARGE') sendAndClose(request, response, status, JSON_TYPE, json);
  else sendJson(response, statusOf(known, status), JSON_TYPE, json, headers);
}

function publicError(error: unknown): A2AError {
  if (isStoreError(error) && error.code === 'unknown-task') {
    return new A2AError('TASK_NOT_FOUND', 'The task was deleted.', { cause: error });
  }
  if (isStoreError(error) && error.code === 'unavailable') {
    const message =
      'The store is unavailable at the moment. Try again; the log of the server has the reason.';
    return new A2AError('UNAVAILABLE', message, { cause: error });
  }
  return toPublicError(error);
}

/** What this server does not offer is not the fault of the request. */
function statusOf({ code }: A2AError, status: number): number {
  return code === 'UNSUPPORTED_OPERATION' ? 501 : status;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  requireJson(request);
  const body = await readBody(request, MOST_BODY_BYTES);
  try {
    return JSON.parse(body);
  } catch {
    throw new A2AError('PARSE_ERROR', 'The request body is not valid JSON.');
  }
}

/** A name that is given more than once has a list of values. */
function readQuery(query: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    values[name] = known === undefined ? value : [known, value].flat();
  }
  return values;
}

function readEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** Finds the route of a request, and its parameters. Fixed segments win over parameters. */
function createMatcher(): (method: string, path: string) => MatchedRoute {
  const entries = Object.entries(ROUTES).map(([name, route]) => ({
    name: name as RouteName,
    route: route as Route,
    segments: route.path.split('/'),
  }));
  return (method, path) => {
    const given = path.split('/');
    const fitting = entries
      .filter(({ segments }) => segments.length === given.length)
      .filter(({ segments }) => segments.every((each, index) => isParameter(each) || each === given[index]));
    const fewest = Math.min(...fitting.map(({ segments }) => segments.filter(isParameter).length));
    const found = fitting.filter(({ segments }) => segments.filter(isParameter).length === fewest);
    const match = found.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method));
    if (match === undefined)
      throw notFound(
        path,
        found.map(({ route }) => route.method),
      );
    const parameters: Record<string, string> = {};
    for (const [index, segment] of match.segments.entries()) {
      if (isParameter(segment)) parameters[segment.slice(1, -1)] = decodeSegment(given[index] ?? '');
    }
    return { name: match.name, route: match.route, parameters };
  };
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new A2AError(
      'INVALID_PARAMS',
      'The path is not encoded correctly. Encode each part as a URL component.',
    );
  }
}

function notFound(path: string, methods: readonly string[]): A2AError {
  if (methods.length === 0) {
    const shown = JSON.stringify(shorten(path, 200));
    return new A2AError(
      'METHOD_NOT_FOUND',
      `There is nothing at ${shown}. The API is described at /openapi.json.`,
    );
  }
  const allowed = methods.join(', ');
  return new A2AError('METHOD_NOT_FOUND', `This path supports only ${allowed}.`, {
    metadata: { [ALLOWED_VERBS_METADATA]: allowed },
  });
}
