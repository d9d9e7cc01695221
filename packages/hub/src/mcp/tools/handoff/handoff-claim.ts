import { z } from 'zod';
import { handoffId } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffClaim = methodTool('handoff/claim', {
  name: 'handoff_claim',
  title: 'Claim a task',
  description:
    'Claim a task that is offered. You get what is known of it and a lease_token, with which handoff_continue goes on.',
  inputSchema: z.object({ handoff_id: handoffId }),
  readOnly: false,
});
