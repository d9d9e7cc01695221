import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { text } from '../schema-parts.ts';
import { codingAgentOptions } from '../shared-options.ts';

export const codex = defineAgent({
  name: 'codex',
  summary: 'Codex, via the `codex` command',
  options: z.strictObject({
    ...codingAgentOptions('codex'),
    sandbox: text.exactOptional().describe('Value for its --sandbox: what its commands may access.'),
  }),
  async open(options, server) {
    const { openProgram } = await import('../open-program.ts');
    const { codexProfile } = await import('../../executors/cli-agent/profiles/codex.ts');
    return openProgram(codexProfile(options), options, server);
  },
});
