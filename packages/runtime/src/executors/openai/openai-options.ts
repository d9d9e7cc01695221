import type { Log } from '../../log.ts';

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

export const OPENAI_DEFAULTS = {
  baseUrl: 'https://api.openai.com/v1',
  apiKeyVariable: 'OPENAI_API_KEY',
  timeoutMilliseconds: 300_000,
  maxHistory: 50,
  images: false,
  maxAnswerBytes: 16 * 1024 * 1024,
};
