import { z } from 'zod';
import { handoffId, leaseToken } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffRelease = methodTool('handoff/release', {
  name: 'handoff_release',
  title: 'Release a task',
  description: 'Release a task you claimed, withdraw an offer you made, or decline an offer made to you.',
  inputSchema: z.object({
    handoff_id: handoffId,
    lease_token: leaseToken.optional(),
    reason: z.string().max(500).optional().describe('The reason, shown to the agent that offered the task.'),
  }),
  readOnly: false,
});
