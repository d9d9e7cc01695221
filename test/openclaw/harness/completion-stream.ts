import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** The answer of a model, streamed as chunks of a chat completion. */
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

  /** Fires when the one who asked hangs up before the end. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Says more. */
  text(content: string): void {
    this.#chunk({ content });
  }

  /** Asks for a tool to be called; its result comes with the next request. */
  callTool(name: string, toolArguments: object, id = `call-${name}`): void {
    const call = { name, arguments: JSON.stringify(toolArguments) };
    this.#chunk({ tool_calls: [{ index: 0, id, type: 'function', function: call }] });
    this.#finishReason = 'tool_calls';
  }

  /** Refuses, as a provider does. Only before anything was said. 400 is the one that OpenClaw does not try again. */
  refuse(status: number): void {
    this.#response.writeHead(status, { 'content-type': 'application/json' });
    const error = { message: `The scripted model refuses with ${status}.`, type: 'invalid_request_error' };
    this.#response.end(JSON.stringify({ error }));
  }

  /** Begins an answer and says nothing more until the one who asked has had enough. */
  async hang(): Promise<void> {
    this.#begin();
    if (!this.closed.aborted) await once(this.closed, 'abort');
  }

  end(): void {
    if (this.#response.writableEnded || this.closed.aborted) return;
    this.#chunk({}, this.#finishReason);
    this.#write({ choices: [], usage: USAGE });
    this.#response.end('data: [DONE]\n\n');
  }

  #begin(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.flushHeaders();
  }

  #chunk(delta: object, finishReason: string | null = null): void {
    this.#begin();
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
