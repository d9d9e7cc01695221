import { request, type IncomingMessage } from 'node:http';
import type { CallOptions } from './driver.ts';

export interface HttpRequest extends CallOptions {
  method?: string;
  url: string;
  /** Sent unchanged. */
  body?: string | Buffer;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** Sends a request on a new connection and resolves when the headers of the response have arrived. */
export function openHttp(call: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(call.url, {
      method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
      agent: false,
      headers: call.headers,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(call.body);
  });
}

export async function callHttp(call: HttpRequest): Promise<HttpResponse> {
  const response = await openHttp(call);
  return { ...headOf(response), body: await bodyOf(response) };
}

export function headOf(response: IncomingMessage): Omit<HttpResponse, 'body'> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: response.statusCode ?? 0, headers };
}

export async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
