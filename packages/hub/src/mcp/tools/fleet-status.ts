import { z } from 'zod';
import { methodTool } from './method-tool.ts';

export const fleetStatus = methodTool('fleet/status', {
  name: 'fleet_status',
  title: 'Fleet status',
  description:
    'The agents that have you as their controller: their sessions, their health, their open tasks and hand-offs.',
  inputSchema: z.object({
    limit: z.int().min(1).max(100).optional().describe('How many agents. Default: 50.'),
    after: z.string().optional().describe('The next_after of the previous page.'),
  }),
  readOnly: true,
});
