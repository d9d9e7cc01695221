import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { A2AError, type SecurityScheme } from '@holdword/protocol';
import {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  shorten,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import { z } from 'zod';
import { ANY_ORIGIN, origin } from '../settings.ts';
import { sendHttpError } from './respond.ts';

/** Which web pages of other origins may call a server (CORS). Pages send their credential in a header, never as a cookie. */
export interface CorsOptions {
  /** Origins as browsers send them, such as `https://app.example`, or `*` for all. */
  origins: readonly string[];
  /**
   * Request headers that pages may send in addition to those of A2A and of the authentication.
   * @default none
   */
  headers?: readonly string[] | undefined;
}

/** What a program in JavaScript gets wrong most easily. */
export const corsSchema = z.looseObject({
  origins: z.array(origin),
  headers: z.array(z.string().regex(/^[\w-]+$/, 'expected the name of a header')).optional(),
});

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  VERSION_PARAMETER,
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  'Last-Event-ID',
  'Holdword-Resume-After',
  'Idempotency-Key',
  'traceparent',
  'tracestate',
];

const EXPOSED_HEADERS = [
  EXTENSIONS_PARAMETER,
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
].join(', ');

const METHODS = 'GET, POST, DELETE';
/** Two hours: browsers keep the answer to a preflight request no longer. */
const MAX_AGE_SECONDS = 7_200;

/** Public documents are the same for everybody, so every page may read them. */
export const PUBLIC_HEADERS = { 'Access-Control-Allow-Origin': ANY_ORIGIN };

/**
 * Tells browsers which pages of other origins may read what a server answers.
 *
 * Responsible for requests with an `Origin` header alone; others never come here. Leaves authentication and everything else to
 * the endpoints: whether a page may read an answer says nothing about who may call.
 */
export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly #preflight: OutgoingHttpHeaders;

  constructor(
    { origins, headers = [] }: CorsOptions = { origins: [] },
    securitySchemes: Readonly<Record<string, SecurityScheme>> = {},
  ) {
    this.#origins = new Set(origins);
    this.#preflight = {
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': [
        ...REQUEST_HEADERS,
        ...Object.values(securitySchemes).flatMap(headerOf),
        ...headers,
      ].join(', '),
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    };
  }

  /** Whether answers depend on the origin, which caches need to know even if a request has none. */
  get varies(): boolean {
    return this.#origins.size > 0 && !this.#origins.has(ANY_ORIGIN);
  }

  /**
   * Lets an allowed page read the answer. A preflight request is answered here, before anything else looks at it. Returns
   * whether it was one.
   */
  answer(request: IncomingMessage, response: ServerResponse, isPublic = false): boolean {
    const { origin: page = '', 'access-control-request-method': requested } = request.headers;
    const allowed = isPublic || this.#origins.has(ANY_ORIGIN) ? ANY_ORIGIN : page;
    const isAllowed = allowed === ANY_ORIGIN || this.#origins.has(page);
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Origin', allowed);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      if (allowed !== ANY_ORIGIN) response.setHeader('Vary', 'Origin');
    }
    if (request.method !== 'OPTIONS' || requested === undefined) return false;
    if (isAllowed) response.writeHead(204, this.#preflight).end();
    else sendHttpError(response, originNotAllowed(page));
    return true;
  }
}

/** The header of an API key, which has any name. */
function headerOf(scheme: SecurityScheme): string[] {
  if (!('apiKeySecurityScheme' in scheme)) return [];
  const { location, name } = scheme.apiKeySecurityScheme;
  return location === 'header' ? [name] : [];
}

function originNotAllowed(page: string): A2AError {
  return new A2AError(
    'PERMISSION_DENIED',
    `Pages of ${JSON.stringify(shorten(page, 100))} may not call this server. Its operator can add the origin to cors.origins.`,
  );
}
