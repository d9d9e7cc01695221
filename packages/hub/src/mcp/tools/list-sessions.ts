import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';

const DEFAULT_LIMIT = 10;

export const listSessions: HubTool = {
  name: 'list_sessions',
  title: 'List sessions',
  description: 'List your sessions, newest first, and when each one expires.',
  inputSchema: z.object({
    limit: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe(`Maximum number of sessions. Default: ${DEFAULT_LIMIT}.`),
  }),
  readOnly: true,
  async run({ limit }, { context, requestContext }) {
    const { agentId } = await context.identities.require(requestContext, {});
    const sessions = await context.sessions.list(agentId, typeof limit === 'number' ? limit : DEFAULT_LIMIT);
    return {
      sessions: sessions.map((session) => ({
        session_id: session.sessionId,
        started_at: new Date(session.startedAt).toISOString(),
        expires_at: new Date(session.expiresAt).toISOString(),
        can_be_continued: context.sessions.isAlive(session),
        is_active: context.sessions.isActive(session),
      })),
    };
  },
};
