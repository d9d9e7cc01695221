import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_TYPE, sendAndClose, sendJson } from '@holdword/runtime/internal';
import type { RouteAnswer } from '../wire/hub-method.ts';

const TOO_LARGE = 413;

/** Answers with JSON. If the request body was too large, the rest of it is still arriving, so the connection is closed. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: RouteAnswer,
): void {
  const json = JSON.stringify(body);
  if (response.headersSent) response.destroy();
  else if (status === TOO_LARGE) sendAndClose(request, response, status, JSON_TYPE, json);
  else sendJson(response, status, JSON_TYPE, json, headers);
}
