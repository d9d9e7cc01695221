import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A model's answer, streamed as chat completion chunks. */
export class CompletionStream {
  readonly #response: ServerResponse;
  readonly #closed = new AbortController();
  #finishReason = 'stop';

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('close', () => {
      if (!response.writableEnded) this.#closed.abort();
    });
  }

  /** Aborts if the client disconnects before the end. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Streams text. */
  text(content: string): void {
    this.#chunk({ content });
  }

  /** Requests a tool call; its result comes with the next request. */
  callTool(name: string, toolArguments: object, id = `call-${name}`): void {
    const call = { name, arguments: JSON.stringify(toolArguments) };
    this.#chunk({ tool_calls: [{ index: 0, id, type: 'function', function: call }] });
    this.#finishReason = 'tool_calls';
  }

  /** Rejects the request, before any text. OpenClaw does not retry a 400. */
  rejectWith(status: number): void {
    this.#response.writeHead(status, { 'content-type': 'application/json' });
    const error = {
      message: `The scripted model rejects the request with ${status}.`,
      type: 'invalid_request_error',
    };
    this.#response.end(JSON.stringify({ error }));
  }

  /** Starts an answer and streams nothing until the client disconnects. */
  async hang(): Promise<void> {
    this.#start();
    if (!this.closed.aborted) await once(this.closed, 'abort');
  }

  end(): void {
    if (this.#response.writableEnded || this.closed.aborted) return;
    this.#chunk({}, this.#finishReason);
    this.#write({ choices: [], usage: USAGE });
    this.#response.end('data: [DONE]\n\n');
  }

  #start(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.flushHeaders();
  }

  #chunk(delta: object, finishReason: string | null = null): void {
    this.#start();
    this.#write({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  }

  #write(fields: object): void {
    const chunk = {
      id: 'scripted',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'scripted',
      ...fields,
    };
    if (!this.#response.destroyed) this.#response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
}
