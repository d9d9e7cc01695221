import { z } from 'zod';
import { handoffId, leaseToken } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffRelease = methodTool('handoff/release', {
  name: 'handoff_release',
  title: 'Give a task back',
  description:
    'Give a claimed task back, take back what you have offered, or decline what is offered to you.',
  inputSchema: z.object({
    handoff_id: handoffId,
    lease_token: leaseToken.optional(),
    reason: z.string().max(500).optional().describe('Why. Whoever offered it reads it.'),
  }),
  readOnly: false,
});
