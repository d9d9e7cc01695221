import { z } from 'zod';
import { TOOL_KINDS } from '../../executors/acp/permission-policy.ts';
import { defineAgent } from '../agent-kind.ts';
import { processSettings } from '../process-settings.ts';
import { listOf, text } from '../schema-parts.ts';
import { processOptions } from '../shared-options.ts';

const DECISIONS = ['refuse', 'ask', 'allow'] as const;

export const acp = defineAgent({
  name: 'acp',
  summary: 'any agent that speaks the Agent Client Protocol: acp:"cmd"',
  mainOption: 'command',
  options: z.strictObject({
    ...processOptions,
    command: text.describe('The command that speaks ACP over its input and output, without a shell.'),
    permissions: z
      .enum(DECISIONS, { error: `expected one of ${DECISIONS.join(', ')}` })
      .exactOptional()
      .describe('What happens when the agent asks whether it may do something. Default: refuse.'),
    allowedTools: listOf(z.enum(TOOL_KINDS, { error: `expected one of ${TOOL_KINDS.join(', ')}` }))
      .exactOptional()
      .describe('Kinds of things that it may do in any case.'),
  }),
  async open(options, server) {
    const { AcpAgent } = await import('../../executors/acp/acp-agent.ts');
    const { command, permissions: otherwise = 'refuse', allowedTools: allow = [] } = options;
    const executor = await AcpAgent.open({
      ...server,
      ...processSettings(options),
      command,
      permissions: { allow, otherwise },
    });
    return { executor };
  },
});
