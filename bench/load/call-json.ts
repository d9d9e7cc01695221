import { CollectedBody } from './collected-answer.ts';
import type { Connection } from './connection.ts';
import { RequestTemplate, type JsonRpcRequest } from './request-template.ts';

/** Makes one call and gives its result; an error answer is an error. */
export async function callJson(connection: Connection, url: URL, call: JsonRpcRequest): Promise<unknown> {
  const answer = new CollectedBody();
  await connection.exchange(new RequestTemplate(url, call).next().bytes, answer);
  const response: { result?: unknown; error?: unknown } = JSON.parse(answer.text);
  if (response.result === undefined) {
    throw new Error(`Expected a result of ${call.method}, found ${answer.text.slice(0, 400)}.`);
  }
  return response.result;
}
