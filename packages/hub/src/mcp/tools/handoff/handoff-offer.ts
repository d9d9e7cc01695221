import { z } from 'zod';
import { methodTool } from '../method-tool.ts';

export const handoffOffer = methodTool('handoff/offer', {
  name: 'handoff_offer',
  title: 'Offer a task',
  description:
    'Offer an unfinished task to a successor: to one agent, to agents of your controller with a skill, or to any agent ' +
    'of your controller. Exactly one of them can claim it.',
  inputSchema: z.object({
    task_id: z.string().optional().describe('The task. Default: your newest unfinished task.'),
    session_id: z.string().optional().describe('Search for the task only in this session.'),
    to_agent_id: z.string().optional().describe('The agent that can claim the task.'),
    to_skill: z.string().optional().describe('The skill that an agent must have to claim the task.'),
    note: z.string().max(2_000).optional().describe('A note to the successor.'),
    expires_in_seconds: z
      .number()
      .optional()
      .describe('How long the task can be claimed. Default: 86400 (one day).'),
    lease_seconds: z
      .number()
      .optional()
      .describe(
        'How long the successor holds the task without activity before others can claim it. Default: 600.',
      ),
  }),
  readOnly: false,
});
