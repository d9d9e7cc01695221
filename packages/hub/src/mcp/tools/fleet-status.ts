import { z } from 'zod';
import { methodTool } from './method-tool.ts';

export const fleetStatus = methodTool('fleet/status', {
  name: 'fleet_status',
  title: 'Fleet status',
  description: 'List the agents you control: sessions, health, open tasks and open hand-offs.',
  inputSchema: z.object({
    limit: z.int().min(1).max(100).optional().describe('Maximum number of agents. Default: 50.'),
    after: z.string().optional().describe('next_after of the previous page.'),
  }),
  readOnly: true,
});
