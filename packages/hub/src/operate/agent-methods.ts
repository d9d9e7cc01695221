import type { JsonObject } from '@holdword/protocol';
import type { Handoff } from '../handoff/handoff.ts';
import type { HubContext, HubPart } from '../hub-part.ts';
import { acceptAgentId, agentToken } from '../identity/declared-agent.ts';
import { identityError } from '../identity/identities.ts';
import type { AgentMark, AgentRecord } from '../identity/identity.ts';
import { HubError, invalidParameter } from '../wire/hub-error.ts';
import type { HubMethod, MethodSpec } from '../wire/hub-method.ts';
import { firstText } from '../wire/read-fields.ts';
import type { HubEvent, HubRequestContext } from '../wire/request-context.ts';
import { isoTime } from '../wire/times.ts';
import {
  agentNotFound,
  blockAgent,
  deleteAgent,
  unblockAgent,
  type AgentChange,
  type AgentServices,
} from './agent-changes.ts';

interface MethodServices extends AgentServices {
  readonly context: HubContext;
}

const MAX_REASON_LENGTH = 500;

/** Managing agents: `agents/block`, `agents/unblock` and `agents/delete`, for their owner and for operators. */
export function agentsPart(services: MethodServices): HubPart {
  return { methods: [blockMethod(services), unblockMethod(services), deleteMethod(services)] };
}

function blockMethod(services: MethodServices): HubMethod {
  return managing(
    services,
    'agents/block',
    'agent-blocked',
    {
      description:
        'Blocks an agent: its token is refused, its leases are released and it is no longer watched. For the API key or token subject that registered it, and for operators.',
      required: ['agent_id'],
      recommended: ['reason'],
      accepts: ['agent_id', 'reason'],
    },
    async (agent, mark) => blockAgent(services, agent.agentId, mark),
  );
}

function unblockMethod(services: MethodServices): HubMethod {
  return managing(
    services,
    'agents/unblock',
    'agent-unblocked',
    {
      description: 'Lifts the block of an agent. If an operator blocked it, only an operator can lift it.',
      required: ['agent_id'],
      accepts: ['agent_id'],
    },
    async (agent, { byOperator }) => {
      if (agent.blocked?.byOperator === true && !byOperator) throw blockedByOperator();
      return unblockAgent(services, agent.agentId);
    },
  );
}

function deleteMethod(services: MethodServices): HubMethod {
  const spec = {
    description:
      'Deletes an agent. Its name stays reserved: only the caller that registered it, or an operator, can register it again. For them, and for the agent itself with its token.',
    required: ['agent_id'],
    recommended: ['reason'],
    accepts: ['agent_id', 'reason'],
  };
  return managing(services, 'agents/delete', 'agent-deleted', spec, async (agent, mark) =>
    deleteAgent(services, agent.agentId, mark),
  );
}

function managing(
  services: MethodServices,
  name: string,
  event: HubEvent,
  spec: MethodSpec,
  manage: (agent: AgentRecord, mark: AgentMark) => Promise<AgentChange>,
): HubMethod {
  const { context } = services;
  return {
    name,
    spec: { ...spec, identity_fallback: 'None.' },
    async handle(params, requestContext) {
      const agent = await requireManaged(services, name, params, requestContext);
      const changed = await manage(agent, markOf(params, requestContext, context.now()));
      context.log.info('Agent changed.', {
        event,
        agentId: agent.agentId,
        byOperator: requestContext.isOperator,
      });
      context.recordAction(requestContext, event, agent.agentId);
      for (const handoff of changed.ended) {
        const about = { handoff: handoff.handoffId, task: handoff.taskId };
        context.recordAction(requestContext, endingOf(handoff), agent.agentId, about);
      }
      return changeFields(changed);
    },
  };
}

/** The agent that a request is about, if its sender may manage it. To others an agent that exists is like one that does not. */
async function requireManaged(
  { context }: MethodServices,
  method: string,
  params: JsonObject,
  requestContext: HubRequestContext,
): Promise<AgentRecord> {
  const given = firstText(params, ['agent_id', 'agentId']);
  if (given === undefined) throw invalidParameter('agent_id', 'the id of an agent', params['agent_id']);
  const agentId = acceptAgentId(given);
  const agent = await context.identities.find(agentId);
  const { callerKey, isOperator, headers } = requestContext;
  if (isOperator) {
    if (agent === undefined) throw agentNotFound();
    return agent;
  }
  if (agent !== undefined && callerKey !== undefined && agent.registeredBy === callerKey) return agent;
  if (agent !== undefined && method === 'agents/delete') {
    const found = await context.identities.prove(agentId, agentToken(headers), requestContext);
    if (found.identity !== undefined) return agent;
    if (found.rejection === 'agent_blocked' || found.rejection === 'agent_deleted')
      throw identityError(found.rejection);
  }
  throw notOwner(method);
}

function markOf(params: JsonObject, { callerKey, isOperator }: HubRequestContext, at: number): AgentMark {
  const reason = firstText(params, ['reason'])?.slice(0, MAX_REASON_LENGTH);
  return {
    at,
    byOperator: isOperator,
    ...(callerKey !== undefined && { by: callerKey }),
    ...(reason !== undefined && { reason }),
  };
}

function endingOf({ closed }: Handoff): HubEvent {
  if (closed === undefined) return 'handoff-released';
  return closed === 'declined' ? 'handoff-declined' : 'handoff-withdrawn';
}

function changeFields({ agent, ended }: AgentChange): JsonObject {
  const { agentId, blocked, deleted } = agent;
  return {
    agent_id: agentId,
    status: deleted === undefined ? (blocked === undefined ? 'active' : 'blocked') : 'deleted',
    blocked_at: blocked === undefined ? null : isoTime(blocked.at),
    deleted_at: deleted === undefined ? null : isoTime(deleted.at),
    reason: (deleted ?? blocked)?.reason ?? null,
    ended_handoffs: ended.map(({ handoffId, closed }) => ({
      handoff_id: handoffId,
      how: closed ?? 'released',
    })),
  };
}

function notOwner(method: string): HubError {
  const self = method === 'agents/delete' ? ", the agent's own token" : '';
  return new HubError('DELX-A2A-1401', 'This agent is not registered, or it belongs to another caller.', {
    hint: `Send the API key that registered the agent${self}, or a key with the role operator.`,
    details: { reason: 'not_owner' },
  });
}

function blockedByOperator(): HubError {
  return new HubError('DELX-A2A-1401', 'An operator blocked this agent.', {
    hint: 'Ask an operator of this hub to unblock it.',
    details: { reason: 'blocked_by_operator' },
  });
}
