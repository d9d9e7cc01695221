import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ChatMessage } from '../chat-messages.ts';

/** What a scripted model does with one request. */
export interface ModelScript {
  /** Any other than 200 is an error with this body. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Streamed one by one. */
  pieces?: readonly string[];
  /** Null for a stream that ends without one. */
  finishReason?: string | null;
  /** What happens after the pieces instead of the end of the stream. */
  after?: 'hang' | 'drop';
  /** Answers with one JSON object, like an API that does not stream. */
  whole?: boolean;
}

export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: { model: string; messages: ChatMessage[]; temperature?: number; stream: boolean };
}

export interface ScriptedModel {
  readonly baseUrl: string;
  readonly requests: ModelRequest[];
  /** Requests whose client disconnected before the end. */
  readonly abandoned: number;
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A server with the chat completions API. Each request plays the next script; the last one is repeated. */
export async function startScriptedModel(...scripts: ModelScript[]): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  let abandoned = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as ModelRequest['body'];
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    play(scripts[Math.min(requests.length, scripts.length) - 1] ?? {}, response);
  };
  const server = createServer((request, response) => {
    response.on('close', () => (abandoned += response.writableEnded ? 0 : 1));
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get abandoned() {
      return abandoned;
    },
  };
}

function play(script: ModelScript, response: ServerResponse): void {
  const { status = 200, headers = {}, pieces = [], finishReason = 'stop' } = script;
  if (status !== 200 || script.whole === true) {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    const message = { role: 'assistant', content: pieces.join('') };
    const answer = {
      model: 'scripted-1',
      choices: [{ index: 0, message, finish_reason: finishReason }],
      usage: USAGE,
    };
    response.end(JSON.stringify(status === 200 ? answer : script.body));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers });
  const send = (choices: object[], more: object = {}): void => {
    response.write(`data: ${JSON.stringify({ model: 'scripted-1', choices, ...more })}\n\n`);
  };
  send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  for (const content of pieces) send([{ index: 0, delta: { content }, finish_reason: null }]);
  if (script.after === 'hang') return;
  if (script.after === 'drop') {
    // Flushes what was written before.
    response.write('', () => response.destroy());
    return;
  }
  if (finishReason !== null) send([{ index: 0, delta: {}, finish_reason: finishReason }]);
  if (script.body !== undefined) response.write(`data: ${JSON.stringify(script.body)}\n\n`);
  send([], { usage: USAGE });
  response.end('data: [DONE]\n\n');
}
