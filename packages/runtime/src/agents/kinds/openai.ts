import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { flag, integer, text } from '../schema-parts.ts';
import { sharedOptions } from '../shared-options.ts';

export const openai = defineAgent({
  name: 'openai',
  summary: 'a model behind an OpenAI-compatible API: openai:MODEL',
  mainOption: 'model',
  options: z.strictObject({
    ...sharedOptions,
    model: text.describe('Name of the model, as the API knows it.'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
      .exactOptional()
      .describe(
        'Base URL of the API, to which /chat/completions is added. Default: https://api.openai.com/v1.',
      ),
    apiKeyVariable: text
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
      .exactOptional()
      .describe(
        'Name of the environment variable that holds the API key. Default: OPENAI_API_KEY, if it is set.',
      ),
    systemPrompt: text.exactOptional().describe('System prompt of every conversation.'),
    temperature: z
      .number({ error: 'expected a number' })
      .min(0, 'expected a number from 0 to 2')
      .max(2, 'expected a number from 0 to 2')
      .exactOptional()
      .describe('Sampling temperature. Default: chosen by the API.'),
    maxHistory: integer('a number of messages', 0, 100)
      .exactOptional()
      .describe('How many earlier messages of the context to send to the model. Default: 50.'),
    images: flag.exactOptional().describe('Whether the model accepts images. Default: false.'),
  }),
  async open({ timeout, asyncMode: _asyncMode, ...options }, { log }) {
    const { OpenAiAgent } = await import('../../executors/openai/openai-agent.ts');
    const limit = timeout === undefined ? {} : { timeoutMilliseconds: timeout * 1_000 };
    return { executor: new OpenAiAgent({ ...options, ...limit, log }) };
  },
});
