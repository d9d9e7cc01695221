import { z } from 'zod';
import { methodTool } from '../method-tool.ts';

export const handoffOffer = methodTool('handoff/offer', {
  name: 'handoff_offer',
  title: 'Offer a task',
  description:
    'Offer a task that is not done to a successor: to a named agent, to agents of your controller with a skill, or to ' +
    'any of them. Exactly one can claim it.',
  inputSchema: z.object({
    task_id: z.string().optional().describe('The task. Without it: your newest that is not done.'),
    session_id: z.string().optional().describe('Looks for the task in this session alone.'),
    to_agent_id: z.string().optional().describe('The agent that may claim it.'),
    to_skill: z.string().optional().describe('The skill that whoever claims it must have.'),
    note: z.string().max(2_000).optional().describe('What you want to tell the successor.'),
    expires_in_seconds: z.number().optional().describe('How long it can be claimed.'),
    lease_seconds: z
      .number()
      .optional()
      .describe('How long the successor has it before it is offered again.'),
  }),
  readOnly: false,
});
