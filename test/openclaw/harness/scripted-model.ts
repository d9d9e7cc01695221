import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompletionStream } from './completion-stream.ts';
import { readModelRequest, type ModelRequest } from './model-request.ts';

/** What the model does with a request: it writes to the answer, and the answer ends when it returns. */
export type ModelScript = (answer: CompletionStream, request: ModelRequest) => void | Promise<void>;

/** A request as the model got it, and what became of it. */
export interface AnsweredRequest extends ModelRequest {
  /** OpenClaw hung up before the answer was complete. */
  readonly abandoned: boolean;
}

const NO_SCRIPT: ModelScript = (answer) => answer.text('No script is registered for this message.');

/**
 * A language model that OpenClaw talks to over HTTP and that does what a test tells it. Scripts are found by a word in the
 * user's latest message, so tests that run side by side share one model and do not see each other.
 */
export class ScriptedModel {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #scripts = new Map<string, ModelScript>();
  readonly #requests: (AnsweredRequest & { abandoned: boolean })[] = [];

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** What an OpenClaw configuration names as `baseUrl`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** From now on, messages that contain the word are answered by the script. */
  when(word: string, script: ModelScript): void {
    this.#scripts.set(word, script);
  }

  /** The requests whose latest user message contains the word, oldest first. */
  requestsWith(word: string): readonly AnsweredRequest[] {
    return this.#requests.filter(({ userText }) => userText.includes(word));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = { ...(await readModelRequest(incoming)), abandoned: false };
    this.#requests.push(request);
    const answer = new CompletionStream(response);
    answer.closed.addEventListener('abort', () => {
      request.abandoned = true;
    });
    const script = [...this.#scripts].find(([word]) => request.userText.includes(word))?.[1] ?? NO_SCRIPT;
    await script(answer, request);
    answer.end();
  }
}
