import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { text } from '../schema-parts.ts';
import { codingAgentOptions } from '../shared-options.ts';

export const gemini = defineAgent({
  name: 'gemini',
  summary: 'Gemini CLI, via the `gemini` command',
  options: z.strictObject({
    ...codingAgentOptions('gemini'),
    approvalMode: text
      .exactOptional()
      .describe('Value for its --approval-mode: what it may do without asking.'),
  }),
  async open(options, server) {
    const { openProgram } = await import('../open-program.ts');
    const { geminiProfile } = await import('../../executors/cli-agent/profiles/gemini.ts');
    return openProgram(geminiProfile(options), options, server);
  },
});
