import type { Command } from '../arguments/command.ts';
import { MCP_TOKEN, ON_CANCEL, TOOL_OPTIONS } from '../delegating/tool-options.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Give the host of a model tools to work with other agents, over MCP.',
  options: {
    ...TOOL_OPTIONS,
    http: {
      value: 'PORT',
      description:
        'serve over HTTP on this port, 0 picks a free one (default: over standard input and output)',
    },
    host: {
      value: 'ADDRESS',
      description: `address to listen on; other than this machine's it needs a token in ${MCP_TOKEN} (default 127.0.0.1)`,
    },
    'on-cancel': {
      value: ON_CANCEL.join('|'),
      description: 'what becomes of the task of a call that the host cancels (default leave)',
    },
  },
  async run(input) {
    // Loaded when it is wanted: other commands start faster without it.
    const { runMcp } = await import('../delegating/run-mcp.ts');
    return runMcp(input);
  },
};
