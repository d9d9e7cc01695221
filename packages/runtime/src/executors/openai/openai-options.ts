import type { Log } from '../../log.ts';

export interface OpenAiOptions {
  /** The model to ask, as its endpoint calls it. */
  model: string;
  /** Where `/chat/completions` is found; OpenAI's own endpoint by default. Typed by the operator: loopback is fine. */
  baseUrl?: string;
  /**
   * The NAME of the environment variable that holds the API key. `OPENAI_API_KEY` by default, and no key is sent where
   * that is not set; one that is named here has to be set.
   */
  apiKeyVariable?: string;
  /** What the model is told before each conversation. */
  systemPrompt?: string;
  temperature?: number;
  /** A turn that takes longer fails. */
  timeoutMilliseconds?: number;
  /** Messages of the context that the model is reminded of, the newest. */
  maxHistory?: number;
  /** Whether the model looks at images. */
  images?: boolean;
  /** An answer that is longer fails its turn. */
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
