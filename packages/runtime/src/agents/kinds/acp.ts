import { z } from 'zod';
import { TOOL_KINDS } from '../../executors/acp/permissions.ts';
import { defineAgent } from '../agent-kind.ts';
import { processSettings } from '../process-settings.ts';
import { listOf, text } from '../schema-parts.ts';
import { processOptions } from '../shared-options.ts';

const DECISIONS = ['refuse', 'ask', 'allow'] as const;

export const acp = defineAgent({
  name: 'acp',
  summary: 'any agent that speaks the Agent Client Protocol: acp:"COMMAND"',
  mainOption: 'command',
  options: z.strictObject({
    ...processOptions,
    command: text.describe('Command that speaks ACP over stdin and stdout. It is not run in a shell.'),
    permissions: z
      .enum(DECISIONS, { error: `expected one of ${DECISIONS.join(', ')}` })
      .exactOptional()
      .describe('What to do when the agent asks for permission. Default: refuse.'),
    allowedTools: listOf(z.enum(TOOL_KINDS, { error: `expected one of ${TOOL_KINDS.join(', ')}` }))
      .exactOptional()
      .describe('Kinds of tools that are always allowed.'),
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
