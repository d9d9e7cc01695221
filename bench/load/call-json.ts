import { CollectedBody } from './collected-response.ts';
import type { Connection } from './connection.ts';
import { RequestTemplate, type JsonRpcRequest } from './request-template.ts';

/** Sends a JSON-RPC request and returns its result. Throws for an error response. */
export async function callJson(connection: Connection, url: URL, request: JsonRpcRequest): Promise<unknown> {
  const body = new CollectedBody();
  await connection.exchange(new RequestTemplate(url, request).next().bytes, body);
  const response: { result?: unknown; error?: unknown } = JSON.parse(body.text);
  if (response.result === undefined) {
    throw new Error(`Expected a result of ${request.method}, received ${body.text.slice(0, 400)}.`);
  }
  return response.result;
}
