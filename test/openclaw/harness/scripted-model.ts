import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompletionStream } from './completion-stream.ts';
import { readModelRequest, type ModelRequest } from './model-request.ts';

/** What the model does with a request: it writes to the answer, which ends when the script returns. */
export type ModelScript = (answer: CompletionStream, request: ModelRequest) => void | Promise<void>;

/** A request that the model received, and its outcome. */
export interface AnsweredRequest extends ModelRequest {
  /** OpenClaw disconnected before the answer was complete. */
  readonly abandoned: boolean;
}

const NO_SCRIPT: ModelScript = (answer) => answer.text('No script is registered for this message.');

/**
 * A language model over HTTP that follows the scripts of a test. Scripts are selected by a word in the
 * user's latest message, so that concurrent tests can share one model.
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

  /** The `baseUrl` for OpenClaw's configuration. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Answers messages that contain the word with the script. */
  when(word: string, script: ModelScript): void {
    this.#scripts.set(word, script);
  }

  /** The requests whose latest user message contains the word, oldest first. */
  requestsWith(word: string): readonly AnsweredRequest[] {
    return this.#requests.filter(({ userText }) => userText.includes(word));
  }

  /** The requests that mention the word anywhere in the session, oldest first. */
  requestsAbout(word: string): readonly AnsweredRequest[] {
    return this.#requests.filter(({ userText, conversation }) =>
      `${conversation} ${userText}`.includes(word),
    );
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
