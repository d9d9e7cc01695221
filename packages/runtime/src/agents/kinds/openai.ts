import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { flag, integer, text } from '../schema-parts.ts';
import { sharedOptions } from '../shared-options.ts';

export const openai = defineAgent({
  name: 'openai',
  summary: 'a model behind an OpenAI-compatible endpoint: openai:MODEL',
  mainOption: 'model',
  options: z.strictObject({
    ...sharedOptions,
    model: text.describe('The model, as its endpoint calls it.'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'expected a URL that begins with http:// or https://' })
      .exactOptional()
      .describe('Where /chat/completions is found. Default: https://api.openai.com/v1.'),
    apiKeyVariable: text
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
      .exactOptional()
      .describe(
        'The NAME of the environment variable with the API key. Default: OPENAI_API_KEY, if it is set.',
      ),
    systemPrompt: text.exactOptional().describe('What the model is told before each conversation.'),
    temperature: z
      .number({ error: 'expected a number' })
      .min(0, 'expected a number from 0 to 2')
      .max(2, 'expected a number from 0 to 2')
      .exactOptional()
      .describe('How varied its answers are. Default: as the endpoint has it.'),
    maxHistory: integer('a number of messages', 0, 100)
      .exactOptional()
      .describe('Earlier messages of the context that the model is reminded of. Default: 50.'),
    images: flag.exactOptional().describe('Whether the model looks at images. Default: false.'),
  }),
  async open({ timeout, asyncMode: _asyncMode, ...options }, { log }) {
    const { OpenAiAgent } = await import('../../executors/openai/openai-agent.ts');
    const limit = timeout === undefined ? {} : { timeoutMilliseconds: timeout * 1_000 };
    return { executor: new OpenAiAgent({ ...options, ...limit, log }) };
  },
});
