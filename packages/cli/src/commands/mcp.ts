import type { Command } from '../arguments/command.ts';
import { MCP_TOKEN, ON_CANCEL, TOOL_OPTIONS } from '../delegating/tool-options.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Run an MCP server whose tools call other A2A agents.',
  details:
    'Speaks MCP over stdin and stdout, as MCP hosts expect of a command they start, unless --http is given.',
  options: {
    ...TOOL_OPTIONS,
    http: {
      value: 'PORT',
      description: 'Serve over HTTP on this port instead; 0 picks a free port',
    },
    host: {
      value: 'ADDRESS',
      description: `Address to listen on with --http; any address but localhost needs a token in ${MCP_TOKEN}`,
      default: '127.0.0.1',
    },
    'on-cancel': {
      value: ON_CANCEL.join('|'),
      description: 'What to do with the remote task when the host cancels a tool call',
      default: 'leave',
    },
  },
  examples: [
    { comment: 'Let an MCP host use the agents of a file', command: 'holdword mcp --agents agents.json' },
    {
      comment: 'Use one agent, and keep tasks and files between runs',
      command: 'holdword mcp --agent demo=http://127.0.0.1:4310 --data ./mcp-data',
    },
    {
      comment: 'Serve the tools over HTTP at http://127.0.0.1:4320/mcp',
      command: 'holdword mcp --agents agents.json --http 4320',
    },
  ],
  page: 'guides/connect-an-mcp-host.md',
  async run(input) {
    // Imported on demand: other commands start faster without it.
    const { runMcp } = await import('../delegating/run-mcp.ts');
    return runMcp(input);
  },
};
