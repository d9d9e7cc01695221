import type { Command } from '../arguments/command.ts';
import { AGENT_OPTIONS } from '../delegating/tool-options.ts';
import { renderTable } from '../terminal/render-table.ts';

const HEAD = ['AGENT', 'NAME', 'SKILLS'];
const MAX_CELL_LENGTH = 60;

export const mcpCheck: Command = {
  name: 'mcp check',
  summary: 'Check which agents `holdword mcp` can reach.',
  details: 'Exits with code 1 if one of them cannot be reached.',
  options: AGENT_OPTIONS,
  examples: [
    { comment: 'Check the agents of a file', command: 'holdword mcp check --agents agents.json' },
    {
      comment: 'Check a single agent',
      command: 'holdword mcp check --agent demo=http://127.0.0.1:4310',
    },
  ],
  page: 'guides/connect-an-mcp-host.md',
  async run(input) {
    // Imported on demand: other commands start faster without it.
    const { openAgents } = await import('../delegating/open-agents.ts');
    const agents = await openAgents(input);
    try {
      const [reached, failures] = await Promise.all([agents.getAgents(), agents.getFailures()]);
      const rows = Object.entries(reached).map(([agentId, { agentCard }]) => [
        agentId,
        cell(agentCard.name),
        cell(agentCard.skills.map(({ name }) => name).join(', ')),
      ]);
      if (rows.length > 0) input.terminal.out(renderTable(HEAD, rows));
      for (const reason of Object.values(failures)) input.terminal.error(`${cell(reason, Infinity)}\n`);
      return Object.keys(failures).length === 0 ? 0 : 1;
    } finally {
      agents.close();
    }
  },
};

/** Cards are written by others: control characters must not reach the terminal. */
function cell(text: string, longest = MAX_CELL_LENGTH): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, ' ');
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1)}…`;
}
