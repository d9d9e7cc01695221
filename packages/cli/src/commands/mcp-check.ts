import type { Command } from '../arguments/command.ts';
import { AGENT_OPTIONS } from '../delegating/tool-options.ts';
import { renderTable } from '../terminal/render-table.ts';

const HEAD = ['AGENT', 'NAME', 'SKILLS'];
const LONGEST_CELL = 60;

export const mcpCheck: Command = {
  name: 'mcp check',
  summary: 'Try to reach the agents that a model would be given, and say which answer.',
  options: AGENT_OPTIONS,
  async run(input) {
    // Loaded when it is wanted: other commands start faster without it.
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

/** Cards are written by others: what steers a terminal does not reach it. */
function cell(text: string, longest = LONGEST_CELL): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, ' ');
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1)}…`;
}
