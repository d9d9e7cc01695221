import { z } from 'zod';
import type { HubTool } from '../../hub-tool.ts';
import { converse } from '../converse.ts';
import { handoffId, leaseToken } from '../input-fields.ts';

export const handoffContinue: HubTool = {
  name: 'handoff_continue',
  title: 'Continue a claimed task',
  description: 'Send a message to a task that you claimed.',
  inputSchema: z.object({
    handoff_id: handoffId,
    lease_token: leaseToken,
    text: z.string().min(1).max(2_000).describe('What should be done next.'),
  }),
  readOnly: false,
  run: (input, hub) => converse(hub, input),
};
