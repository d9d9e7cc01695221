import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { A2AError } from '@holdword/protocol';
import {
  charactersOf,
  EXTENSIONS_PARAMETER,
  isLazy,
  toHttpError,
  toPublicError,
} from '@holdword/protocol/internal';
import type { Log } from '../log.ts';
import type { RequestObservation } from '../observe/observer.ts';
import type { Authentication } from './auth/authentication.ts';
import type { ClientConnection } from './dispatch.ts';
import { type AnswerContext, startLargeAnswer } from './large-answer.ts';
import { logFailure } from './log-failure.ts';

/** How long a rejected body is still read, so that the client reads the response instead of a reset connection. */
const LINGER_MILLISECONDS = 2_000;

export const JSON_TYPE = 'application/json';
export const A2A_JSON_TYPE = 'application/a2a+json';

/** Sends a complete JSON text. */
export function sendJson(
  response: ServerResponse,
  status: number,
  contentType: string,
  json: string,
  headers?: OutgoingHttpHeaders,
): void {
  const bytes = Buffer.byteLength(json);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': bytes, ...headers });
  // ASCII text, which most of it is, is copied to the socket unchanged.
  response.end(json, bytes === json.length ? 'latin1' : 'utf8');
}

/** What stands around the JSON of a value. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

export const NO_ENVELOPE: Envelope = { before: '', after: '' };

/** Longer answers do not fit into the buffers of a connection. */
const SMALL_CHARACTERS = 64 * 1024;

/** Sends the value that an operation answered with, and ends the observation. */
export function sendValue(
  context: AnswerContext,
  response: ServerResponse,
  contentType: string,
  value: unknown,
  { before, after }: Envelope,
  observation: RequestObservation,
): void {
  if (isLazy(value) || isLong(value)) {
    return startLargeAnswer(context, response, contentType, { before, value, after }, observation);
  }
  const json = `${before}${JSON.stringify(value)}${after}`;
  if (json.length > SMALL_CHARACTERS) {
    return startLargeAnswer(context, response, contentType, json, observation);
  }
  sendJson(response, 200, contentType, json);
  observation.end();
}

/** Of a task or a page of tasks in memory: turned into text at once, it would hold up other requests. */
const LONG_CHARACTERS = 256 * 1024;

function isLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const hasContent = 'tasks' in value || 'artifacts' in value || 'history' in value;
  return hasContent && charactersOf(value) > LONG_CHARACTERS;
}

/** Sends the error of a request that belongs to no binding. */
export function sendHttpError(response: ServerResponse, error: A2AError): void {
  const { status, headers, body } = toHttpError(error);
  sendJson(response, status, JSON_TYPE, JSON.stringify(body), headers);
}

/** An error with the body and the status of its binding. */
export interface ErrorResponse {
  readonly status: number;
  readonly contentType: string;
  readonly json: string;
}

/** Sends an error, and logs it if the caller is not told the reason. */
export function sendError(
  handler: { readonly authentication: Authentication; readonly log: Log },
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { status, contentType, json }: ErrorResponse,
): void {
  if (response.closed) return;
  logFailure(handler.log, error);
  const { code } = toPublicError(error);
  if (response.headersSent) response.destroy();
  else if (code === 'REQUEST_TOO_LARGE') sendAndClose(request, response, status, contentType, json);
  else {
    sendJson(response, status, contentType, json, {
      ...toHttpError(error).headers,
      ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': handler.authentication.challenge }),
    });
  }
}

/** Responds to a request whose body was not read completely, and closes the connection. */
export function sendAndClose(
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

/** The client of a request over HTTP. Its signal is created on first use: most unary requests never need one. */
export class HttpConnection implements ClientConnection {
  readonly readsPieces = true;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get signal(): AbortSignal {
    return this.#open().signal;
  }

  abort(reason?: A2AError): void {
    this.#open().abort(reason);
  }

  activate(extensions: readonly string[]): void {
    if (extensions.length > 0) this.#response.setHeader(EXTENSIONS_PARAMETER, extensions.join(', '));
  }

  #open(): AbortController {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const onClose = (): void => {
        // After a complete response there is nothing left to abort.
        if (!this.#response.writableFinished) controller.abort();
      };
      if (this.#response.closed) onClose();
      else this.#response.on('close', onClose);
    }
    return this.#controller;
  }
}
