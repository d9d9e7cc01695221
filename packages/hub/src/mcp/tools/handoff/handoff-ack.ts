import { z } from 'zod';
import { handoffId, leaseToken } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffAck = methodTool('handoff/ack', {
  name: 'handoff_ack',
  title: 'Keep a claimed task',
  description: 'Say that you go on with a task you have claimed. Said again, it keeps the task for longer.',
  inputSchema: z.object({ handoff_id: handoffId, lease_token: leaseToken }),
  readOnly: false,
});
