import type { JsonObject } from '@holdword/protocol';
import type { Log } from '@holdword/runtime';
import type { HubSettings } from '../hub-settings.ts';
import { sessionPersistence, sessionResolution } from '../sessions/session.ts';
import type { HubLinks } from '../wire/hub-links.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import type { HubEvent, RecordAction } from '../wire/request-context.ts';
import { isoTime } from '../wire/times.ts';
import type { AgentLimits } from './agent-limits.ts';
import { ephemeralNotice, registrationFields, type AgentRecord } from './identity.ts';
import {
  REGISTER_ARGUMENTS,
  registerAgent,
  type Registration,
  type RegistrationContext,
} from './register-agent.ts';

interface RegisterMethodContext extends RegistrationContext {
  readonly links: HubLinks;
  readonly log: Log;
  readonly recordAction: RecordAction;
  readonly limits: AgentLimits;
}

/**
 * `agents/register`: registers an agent and returns its token and a session. `news` are fields about what happened to the tasks
 * of an agent that is back.
 */
export function agentsRegister(
  context: RegisterMethodContext,
  news: (agent: AgentRecord) => Promise<JsonObject> = () => Promise.resolve({}),
): HubMethod {
  return {
    name: 'agents/register',
    spec: {
      description: 'Registers an agent under a stable id and returns its token, which is shown only once.',
      required: [],
      recommended: ['agent_id', 'agent_name', 'source', 'controller_id'],
      accepts: REGISTER_ARGUMENTS,
      identity_fallback: 'Without an agent_id, the hub generates an ephemeral one that starts with "agent-".',
    },
    async handle(params, requestContext) {
      const { callerKey, headers, peer = 'unknown' } = requestContext;
      const proved = await context.identities.proveArriving(headers, requestContext);
      context.limits.take('registrationsPerMinute', callerKey ?? proved?.agentId ?? peer);
      const registration = await registerAgent(context, params, requestContext);
      const { agent, isNew, newToken } = registration;
      context.log.info('Agent registered.', {
        agentId: agent.agentId,
        isNew,
        hasNewToken: newToken !== undefined,
        byOperator: requestContext.isOperator,
      });
      context.recordAction(requestContext, eventOf(registration), agent.agentId);
      const resolved = await context.sessions.resolve(
        requestContext,
        params,
        agent.agentId,
        registration.session,
      );
      const { sessionId } = resolved.session;
      const isEphemeral = agent.mode === 'ephemeral_hospitality';
      return {
        status: 'registered',
        agent_id: agent.agentId,
        agent_name: agent.agentName,
        identity_mode: agent.mode,
        ephemeral_identity: isEphemeral,
        persisted: true,
        session_id: sessionId,
        reused_existing_session: !resolved.isNew,
        new_agent: isNew,
        first_seen_at: isoTime(agent.firstSeenAt),
        ref_agent_id: agent.refAgentId ?? null,
        referral_channel: agent.referralChannel ?? null,
        context_id: agent.contextId ?? sessionId,
        controller_id: agent.controllerId ?? null,
        next_action: nextAction(registration, params),
        mcp_endpoint: context.links.mcp_endpoint,
        growth: { referred_by: agent.refAgentId ?? null },
        referral_program: { active: false },
        registration: registrationFields(agent, isNew),
        session_persistence: sessionPersistence(sessionId),
        session_resolution: sessionResolution(resolved),
        identity_auth: identityAuth(registration, context.settings, params),
        identity_fallback: isEphemeral ? 'ephemeral_hospitality' : null,
        identity_notice: ephemeralNotice(agent),
        controller_binding: controllerBinding(agent),
        ...(await news(agent)),
        links: context.links,
      };
    },
  };
}

function eventOf({ isNew, newToken }: Registration): HubEvent {
  if (isNew) return 'agent-registered';
  return newToken === undefined ? 'agent-updated' : 'agent-token-rotated';
}

function nextAction({ newToken }: Registration, params: JsonObject): string {
  if (newToken === undefined) return 'Call message/send with your existing token.';
  return params['include_token'] === false
    ? 'The token was omitted as requested. If you need it, ask the operator to rotate it.'
    : 'Store the token: it is not shown again. Then call message/send with it.';
}

function identityAuth(
  { agent, newToken }: Registration,
  { strictHeartbeats }: HubSettings,
  params: JsonObject,
): JsonObject {
  return {
    enabled: true,
    required_for_registered_heartbeat: strictHeartbeats,
    strict_heartbeat_mode: strictHeartbeats,
    legacy_no_token_allowed: !strictHeartbeats,
    issued_new_token: newToken !== undefined,
    ...(newToken !== undefined && params['include_token'] !== false && { token: newToken }),
    token_preview: agent.tokenPreview,
    auth_headers: { 'x-delx-agent-id': agent.agentId, 'x-delx-agent-token': '<token>' },
    how: 'Send both headers with every request. To rotate the token, call agents/register with both headers and rotate_token=true.',
  };
}

function controllerBinding({ controllerId, controllerProved = false }: AgentRecord): JsonObject | null {
  if (controllerId === undefined) return null;
  return {
    controller_id: controllerId,
    proved: controllerProved,
    how: controllerProved
      ? 'The controller is verified.'
      : 'Register the controller first, if it is not. Then register again with its token as x-delx-controller-token, or ask the operator to register the agent.',
  };
}
