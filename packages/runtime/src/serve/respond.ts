import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { EXTENSIONS_PARAMETER, isA2AError, OWN_EXTENSIONS, toHttpError } from '@parley/protocol';
import type { Log } from '../log.ts';
import type { Authentication } from './auth/authentication.ts';

/** How long a refused body is still taken from the client, so that it reads the answer instead of a reset connection. */
const LINGER_MILLISECONDS = 2_000;

export const JSON_TYPE = 'application/json';
export const A2A_JSON_TYPE = 'application/a2a+json';

/** Answers with a complete JSON text. */
export function sendJson(
  response: ServerResponse,
  status: number,
  contentType: string,
  json: string,
  headers?: OutgoingHttpHeaders,
): void {
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(json),
    ...headers,
  });
  response.end(json);
}

/** Names the extensions of this server that the client declared and that therefore are in force. */
export function echoExtensions(response: ServerResponse, declared: ReadonlySet<string>): void {
  if (declared.size === 0) return;
  const active = OWN_EXTENSIONS.filter((extension) => declared.has(extension));
  if (active.length > 0) response.setHeader(EXTENSIONS_PARAMETER, active.join(', '));
}

/** Headers that belong to an error on any binding over HTTP. */
export function errorHeaders(authentication: Authentication, error: unknown): OutgoingHttpHeaders {
  const { headers } = toHttpError(error);
  return isA2AError(error) && error.code === 'UNAUTHENTICATED'
    ? { ...headers, 'WWW-Authenticate': authentication.challenge }
    : headers;
}

/** Answers a request whose body was not read to its end, and closes the connection. */
export function sendJsonAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  contentType: string,
  json: string,
): void {
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(json),
    Connection: 'close',
  });
  response.write(json);
  const timer = setTimeout(() => response.end(), LINGER_MILLISECONDS);
  request.once('end', () => response.end());
  response.once('close', () => clearTimeout(timer));
  request.resume();
}

/** Tells the operator about failures of which callers learn nothing. */
export function logFailure(log: Log, error: unknown): void {
  if (!isA2AError(error)) log.error('request-failed', { error });
}
