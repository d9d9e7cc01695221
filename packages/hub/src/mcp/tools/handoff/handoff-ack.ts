import { z } from 'zod';
import { handoffId, leaseToken } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffAck = methodTool('handoff/ack', {
  name: 'handoff_ack',
  title: 'Acknowledge a claimed task',
  description: 'Confirm that you continue a task you claimed. Call it again to renew the lease.',
  inputSchema: z.object({ handoff_id: handoffId, lease_token: leaseToken }),
  readOnly: false,
});
