import { declaredSessionIds } from '../../sessions/declared-sessions.ts';
import type { ToolHub } from '../hub-tool.ts';

/** The initial value of `$SESSION_ID`: the session that the request names, or the agent's latest active one. */
export async function batchSession(
  { context, requestContext }: Pick<ToolHub, 'context' | 'requestContext'>,
  sessionId: string | undefined,
): Promise<string | undefined> {
  const params = sessionId === undefined ? {} : { session_id: sessionId };
  const [declared] = declaredSessionIds(requestContext, params);
  if (declared !== undefined) return declared.value;
  const { identity } = await context.identities.identify(requestContext, params);
  const latest = identity && (await context.sessions.latest(identity.agentId));
  return latest !== undefined && context.sessions.isActive(latest) ? latest.sessionId : undefined;
}
