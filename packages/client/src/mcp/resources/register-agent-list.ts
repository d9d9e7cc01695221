import type { McpServer } from '@modelcontextprotocol/server';
import type { A2ATools } from '../../tools/a2a-tools.ts';

const AGENTS_URI = 'a2a://agents';

export function registerAgentList(server: McpServer, tools: A2ATools): void {
  const mimeType = 'application/json';
  server.registerResource(
    'agents',
    AGENTS_URI,
    {
      title: 'Agents',
      description: 'All available agents with their names and descriptions.',
      mimeType,
    },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: JSON.stringify(await tools.getAgents(), undefined, 2) }],
    }),
  );
}
