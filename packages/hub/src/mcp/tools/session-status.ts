import { asObject } from '@holdword/protocol/internal';
import { z } from 'zod';
import { sessionStatusRoute } from '../../status/session-status.ts';
import type { HubTool } from '../hub-tool.ts';

export const sessionStatus: HubTool = {
  name: 'session_status',
  title: 'Session status',
  description:
    'Get the status of one of your sessions: when it expires and how many tasks are pending. Read-only.',
  inputSchema: z.object({
    session_id: z.string().optional().describe('The session. Default: your latest session.'),
  }),
  readOnly: true,
  async run({ session_id }, { context, requestContext }) {
    const { agentId } = await context.identities.require(requestContext, {});
    const which = typeof session_id === 'string' ? { session_id } : { agent_id: agentId };
    const { body } = await sessionStatusRoute(context).answer({
      requestContext,
      query: new URLSearchParams(which),
      segments: {},
      body: undefined,
    });
    return asObject(asObject(body)['session']);
  },
};
