import { z } from 'zod';
import { handoffId } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffClaim = methodTool('handoff/claim', {
  name: 'handoff_claim',
  title: 'Claim a task',
  description:
    'Claim an offered task. Returns the hand-off packet and a lease_token, which you pass to handoff_continue.',
  inputSchema: z.object({ handoff_id: handoffId }),
  readOnly: false,
});
