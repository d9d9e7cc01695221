import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { text } from '../schema-parts.ts';
import { codingAgentOptions } from '../shared-options.ts';

export const claudeCode = defineAgent({
  name: 'claude-code',
  summary: 'Claude Code, via the `claude` command',
  options: z.strictObject({
    ...codingAgentOptions('claude'),
    permissionMode: text
      .exactOptional()
      .describe('Value for its --permission-mode: what it may do without asking.'),
  }),
  async open(options, server) {
    const { openProgram } = await import('../open-program.ts');
    const { claudeCodeProfile } = await import('../../executors/cli-agent/profiles/claude-code.ts');
    return openProgram(claudeCodeProfile(options), options, server);
  },
});
