import type { IncomingMessage } from 'node:http';
import { readBody } from './read-body.ts';
import { requireJson } from './require-json.ts';

/** The body of a POST request, which may be empty. Other methods have none. */
export async function readRestBody(request: IncomingMessage, limit: number): Promise<string> {
  if (request.method !== 'POST') return '';
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && length !== '0')) requireJson(request);
  return readBody(request, limit);
}
