import type { JsonObject } from '@holdword/protocol';
import { OPEN_STATES } from '../wire/open-states.ts';
import type { HubContext } from '../hub-part.ts';
import { acceptAgentId, agentToken, declaredAgentId } from '../identity/declared-agent.ts';
import { requireMayAct } from '../identity/identities.ts';
import { ownerOfAgent } from '../identity/identity.ts';
import { AdviceMemory, openAdvices } from '../incidents/advice-memory.ts';
import { isUuid, SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { SESSION_AGE_THRESHOLDS, type Session } from '../sessions/session.ts';
import { RestError, showValue } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubRoute } from '../wire/hub-method.ts';
import { firstHeader } from '../wire/read-fields.ts';
import { operationContext, type HubRequestContext } from '../wire/request-context.ts';
import { isoTime, secondsBetween } from '../wire/times.ts';

/** `GET /api/v1/status`: the status of a session. Neither creates nor changes a session. */
export function sessionStatusRoute(context: HubContext): HubRoute {
  return {
    verb: 'GET',
    path: HUB_PATHS.status,
    description:
      'The status of a session: when it expires and how many tasks and results of advised steps are pending. Read-only.',
    query: {
      session_id: 'The session. Default: the x-delx-session-id header.',
      agent_id: "Selects the agent's latest session; requires the agent's token.",
    },
    async answer({ requestContext, query }) {
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: {
          status: 'ok',
          service: 'holdword-hub',
          timestamp: isoTime(context.now()),
          links: context.links,
          session: await readSessionStatus(context, requestContext, {
            sessionId: query.get('session_id') ?? undefined,
            agentId: query.get('agent_id') ?? undefined,
          }),
        },
      };
    },
  };
}

/** The status of the session that is named here or in a header, otherwise of the agent's latest one. */
export async function readSessionStatus(
  context: HubContext,
  requestContext: HubRequestContext,
  named: { readonly sessionId?: string | undefined; readonly agentId?: string | undefined },
): Promise<JsonObject> {
  const sessionId = named.sessionId ?? firstHeader(requestContext.headers, SESSION_ID_HEADERS);
  if (sessionId !== undefined) {
    if (!isUuid(sessionId)) throw invalidSessionId(sessionId);
    return sessionById(context, sessionId.toLowerCase(), requestContext);
  }
  if (named.agentId === undefined) throw missingSession();
  return latestSession(context, acceptAgentId(named.agentId), requestContext);
}

/** Callers that declare an agent must be the owner. Callers that know only the id see times and counts, but no agent. */
async function sessionById(
  context: HubContext,
  sessionId: string,
  requestContext: HubRequestContext,
): Promise<JsonObject> {
  const session = await context.sessions.find(sessionId);
  const found = await context.identities.identify(requestContext, {});
  requireMayAct(found);
  const isOwner = found.identity !== undefined && found.identity.agentId === session?.agentId;
  const isStranger =
    (declaredAgentId(requestContext.headers, {}) ?? agentToken(requestContext.headers)) === undefined;
  const mayKnow = isOwner || (isStranger && context.settings.publicStatus);
  if (session === undefined || !mayKnow) throw sessionNotFound();
  const fields = await describe(context, session);
  return isOwner ? { ...fields, agent_id: session.agentId } : fields;
}

async function latestSession(
  context: HubContext,
  agentId: string,
  requestContext: HubRequestContext,
): Promise<JsonObject> {
  const found = await context.identities.identify(requestContext, { agent_id: agentId });
  requireMayAct(found);
  const { identity } = found;
  if (identity?.agentId !== agentId) return { note: "Send the agent's token to see its latest session." };
  const session = await context.sessions.latest(agentId);
  if (session === undefined)
    return { note: 'This agent has no session yet. Call message/send to start one.' };
  return { ...(await describe(context, session)), agent_id: agentId };
}

async function describe(context: HubContext, session: Session): Promise<JsonObject> {
  const { sessions } = context;
  const now = context.now();
  return {
    session_id: session.sessionId,
    started_at: isoTime(session.startedAt),
    expires_at: isoTime(session.expiresAt),
    ttl_remaining_seconds: secondsBetween(now, session.expiresAt),
    session_age_thresholds_seconds: SESSION_AGE_THRESHOLDS,
    pending_outcomes: await countPending(context, session),
    is_active: sessions.isActive(session),
  };
}

function missingSession(): RestError {
  return new RestError(
    400,
    'DELX-1001',
    'session_id or agent_id is required.',
    'Add ?session_id=<uuid> with the session_id from an earlier answer.',
  );
}

function invalidSessionId(sessionId: string): RestError {
  return new RestError(
    400,
    'DELX-1004',
    `Expected session_id to be a UUID, found ${showValue(sessionId)}.`,
    'Send the session_id of an earlier answer unchanged.',
  );
}

function sessionNotFound(): RestError {
  return new RestError(
    404,
    'session_not_found',
    'Session not found.',
    'Check the session_id and that the token belongs to its agent. To start a new session, call message/send.',
  );
}

/** Counts the tasks of a session that have not ended, without reading them, and the steps whose result was not reported. */
async function countPending(
  { store, operations }: Pick<HubContext, 'store' | 'operations'>,
  { sessionId, agentId }: Session,
): Promise<number> {
  const open = operationContext(ownerOfAgent(agentId));
  const [advices, ...pages] = await Promise.all([
    new AdviceMemory(store).read(agentId),
    ...OPEN_STATES.map((status) => operations.listTasks({ contextId: sessionId, status, pageSize: 1 }, open)),
  ]);
  const tasks = pages.reduce((sum, { totalSize }) => sum + (totalSize ?? 0), 0);
  return tasks + openAdvices(advices, sessionId).length;
}
