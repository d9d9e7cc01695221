import {
  createGuardedClient,
  type GuardedClient,
  isConnectionError,
  readAtMost,
} from '@holdword/net/internal';
import { Deadline, trimEndOf } from '@holdword/protocol/internal';
import type { AgentDescription } from '../../agent-description.ts';
import { DEFAULT_OPENAI_OPTIONS, DEFAULT_PROGRAM_OPTIONS } from '../../defaults.ts';
import { type Log, noopLog, OutageLog } from '../../log.ts';
import { ResponseWriter } from '../cli-agent/response-writer.ts';
import { AgentOptionsError, RetryableError, turnTimedOut } from '../executor-errors.ts';
import type { Executor, Sink, Turn } from '../executor.ts';
import { parseJson } from '../json-value.ts';
import { chatMessages } from './chat-messages.ts';
import { completionChunks, CompletionReader, endpointError } from './completion.ts';

type Settings = Required<Pick<OpenAiOptions, keyof typeof OPENAI_DEFAULTS>> & OpenAiOptions;

const MAX_ERROR_BYTES = 64 * 1024;
/** Read if it is set; a variable that the options name must be set. */
const DEFAULT_API_KEY_VARIABLE = 'OPENAI_API_KEY';

/**
 * A model behind an OpenAI-compatible API as an agent: each turn is one streamed chat completion without tools.
 *
 * Responsible for sending the earlier messages of the context, and for a definite outcome of every turn. The API keeps no
 * state, so a turn can be retried. Leaves retries to the runtime.
 */
export class OpenAiAgent implements Executor {
  readonly #settings: Settings;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #client: GuardedClient;
  readonly #outage: OutageLog;

  constructor(options: OpenAiOptions, environment: NodeJS.ProcessEnv = process.env) {
    this.#settings = { ...OPENAI_DEFAULTS, ...options };
    this.#outage = new OutageLog(options.log ?? noopLog, {
      beginning: 'The model API did not answer a turn.',
      end: 'The model API answers again.',
    });
    this.#url = completionsUrl(this.#settings.baseUrl);
    this.#headers = { 'Content-Type': 'application/json', ...authorization(options, environment) };
    this.#client = createGuardedClient({ trustedOrigins: [new URL(this.#url).origin] });
  }

  /** That OpenAI's own API needs a key, and there is none. Other APIs may need none. */
  get problem(): string | undefined {
    if ('Authorization' in this.#headers || this.#settings.baseUrl !== OPENAI_DEFAULTS.baseUrl)
      return undefined;
    return `The environment variable ${DEFAULT_API_KEY_VARIABLE} for the API key is not set.`;
  }

  get card(): AgentDescription {
    const { model, images } = this.#settings;
    return {
      name: model,
      description: `Answers with the model ${model}.`,
      defaultInputModes: ['text/plain', 'application/json', ...(images ? ['image/*'] : [])],
    };
  }

  async execute(turn: Turn, sink: Sink): Promise<void> {
    const writer = new ResponseWriter(turn, sink);
    try {
      const { text, metadata } = await this.#complete(turn, writer);
      const parts = text === '' ? undefined : { parts: [{ text }] };
      await writer.end({ state: 'completed', ...parts, metadata });
    } catch (error) {
      if (!turn.signal.aborted) await writer.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  async #complete(turn: Turn, writer: ResponseWriter): Promise<ReturnType<CompletionReader['finish']>> {
    const { timeoutMilliseconds, maxAnswerBytes } = this.#settings;
    const body = JSON.stringify(await this.#requestFor(turn));
    const reader = new CompletionReader(maxAnswerBytes);
    using deadline = new Deadline(timeoutMilliseconds);
    try {
      const signal = AbortSignal.any([turn.signal, deadline.signal]);
      for await (const value of this.#answers(turn, body, signal)) {
        await writer.write([{ kind: 'text', text: reader.add(value) }]);
      }
    } catch (error) {
      turn.signal.throwIfAborted();
      const explained = deadline.signal.aborted ? turnTimedOut(timeoutMilliseconds) : explainedError(error);
      this.#outage.failed(explained, { taskId: turn.taskId, url: this.#url });
      throw explained;
    }
    this.#outage.succeeded();
    return reader.finish();
  }

  async #requestFor(turn: Turn): Promise<object> {
    const { model, systemPrompt, temperature, maxHistory, images } = this.#settings;
    const ownHistory = turn.task.history ?? [turn.message];
    const earlier = await turn.contextHistory(maxHistory);
    return {
      model,
      messages: chatMessages([...earlier, ...ownHistory], { systemPrompt, maxHistory, images }),
      stream: true,
      stream_options: { include_usage: true },
      ...(temperature !== undefined && { temperature }),
    };
  }

  /** The values of one answer. Some APIs do not stream: then there is one value. */
  async *#answers(turn: Turn, body: string, signal: AbortSignal): AsyncGenerator {
    const { trace } = turn;
    const response = await this.#client.open({
      url: this.#url,
      method: 'POST',
      headers: { ...this.#headers, ...(trace && { traceparent: trace.traceparent }) },
      body,
      timeoutMilliseconds: this.#settings.timeoutMilliseconds,
      signal,
    });
    const { status, headers } = response;
    if (status !== 200) {
      const retryAfter = headers['retry-after']?.toString();
      throw endpointError({
        status,
        retryAfter,
        body: parseJson(await readAtMost(response.body, MAX_ERROR_BYTES)),
      });
    }
    const { maxAnswerBytes } = this.#settings;
    if (headers['content-type']?.includes('json') === true) {
      yield parseJson(await readAtMost(response.body, maxAnswerBytes));
    } else yield* completionChunks(response.body, maxAnswerBytes);
  }
}

function explainedError(error: unknown): unknown {
  if (!isConnectionError(error)) return error;
  return new RetryableError(`Could not reach the model API: ${error.message}.`, { cause: error });
}

function completionsUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AgentOptionsError(
      `Invalid base URL "${baseUrl}". Use an http:// or https:// URL such as ${OPENAI_DEFAULTS.baseUrl}.`,
    );
  }
  url.pathname = `${trimEndOf(url.pathname, '/')}/chat/completions`;
  return url.href;
}

function authorization(
  { apiKeyVariable }: OpenAiOptions,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const key = environment[apiKeyVariable ?? DEFAULT_API_KEY_VARIABLE];
  if (key) return { Authorization: `Bearer ${key}` };
  if (apiKeyVariable === undefined) return {};
  throw new AgentOptionsError(
    `The environment variable ${apiKeyVariable} for the API key is not set. Set it, or name another one in apiKeyVariable.`,
  );
}

export interface OpenAiOptions {
  /** Name of the model, as the API knows it. */
  model: string;
  /** Base URL of the API; that of OpenAI by default. Set by the operator, so loopback is allowed. */
  baseUrl?: string;
  /**
   * Name of the environment variable that holds the API key; `OPENAI_API_KEY` by default. If the default variable is not
   * set, no key is sent; a variable named here must be set.
   */
  apiKeyVariable?: string;
  /** System prompt of every conversation. */
  systemPrompt?: string;
  temperature?: number;
  /** Time limit for a turn. */
  timeoutMilliseconds?: number;
  /** How many earlier messages of the context to send. */
  maxHistory?: number;
  /** Whether the model accepts images. */
  images?: boolean;
  /** Limit for the size of an answer. */
  maxAnswerBytes?: number;
  log?: Log;
}

const OPENAI_DEFAULTS = {
  ...DEFAULT_OPENAI_OPTIONS,
  timeoutMilliseconds: DEFAULT_PROGRAM_OPTIONS.timeoutMilliseconds,
  maxAnswerBytes: 16 * 1024 * 1024,
};
