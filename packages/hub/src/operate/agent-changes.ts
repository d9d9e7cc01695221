import { endFor, type Handoff } from '../handoff/handoff.ts';
import type { Handoffs } from '../handoff/handoffs.ts';
import type { Heartbeats } from '../heartbeats/heartbeats.ts';
import type { Identities } from '../identity/identities.ts';
import type { AgentMark, AgentRecord } from '../identity/identity.ts';
import { HubError } from '../wire/hub-error.ts';

/** What blocking and deleting an agent change. */
export interface AgentServices {
  readonly identities: Identities;
  readonly handoffs: Handoffs;
  readonly heartbeats: Heartbeats;
}

export interface AgentChange {
  readonly agent: AgentRecord;
  /** The hand-offs that the agent had a part in and that ended or were released. */
  readonly ended: readonly Handoff[];
}

/** A change of the record; undefined if there is nothing to change. */
type Change = (agent: AgentRecord) => AgentRecord | undefined;

/**
 * Blocks an agent: its token is refused from the next request on. The mark comes first, so that nothing starts after what is
 * running was ended; repeating it after a crash ends the rest.
 */
export async function blockAgent(
  services: AgentServices,
  agentId: string,
  mark: AgentMark,
): Promise<AgentChange> {
  const agent = await change(services, agentId, (before) =>
    before.blocked === undefined || (mark.byOperator && !before.blocked.byOperator)
      ? { ...before, blocked: mark }
      : undefined,
  );
  const ended = await endHandoffs(services, agentId, 'The agent was blocked.');
  await services.heartbeats.unwatch(agentId);
  return { agent, ended };
}

export async function unblockAgent(services: AgentServices, agentId: string): Promise<AgentChange> {
  const agent = await change(services, agentId, ({ blocked, ...before }) =>
    blocked === undefined ? undefined : before,
  );
  return { agent, ended: [] };
}

/**
 * Deletes an agent. Its name stays reserved to its owner, because its tasks belong to the name: what is left of the record
 * says who that is, and which controller can hand the tasks over.
 */
export async function deleteAgent(
  services: AgentServices,
  agentId: string,
  mark: AgentMark,
): Promise<AgentChange> {
  const agent = await change(services, agentId, (before) =>
    before.deleted === undefined ? tombstone(before, mark) : undefined,
  );
  const ended = await endHandoffs(services, agentId, 'The agent was deleted.');
  await services.heartbeats.forget(agentId);
  return { agent, ended };
}

function tombstone(agent: AgentRecord, deleted: AgentMark): AgentRecord {
  const { source: _source, skills: _skills, contextId: _context, ...kept } = agent;
  const { refAgentId: _reference, referralChannel: _channel, ...left } = kept;
  return { ...left, deleted };
}

function endHandoffs(
  { handoffs }: AgentServices,
  agentId: string,
  reason: string,
): Promise<readonly Handoff[]> {
  return handoffs.endForAgent((handoff, moment) => endFor(handoff, agentId, reason, moment));
}

/** Changes the record of an agent, again after a concurrent change. Throws if there is no such agent. */
async function change({ identities }: AgentServices, agentId: string, next: Change): Promise<AgentRecord> {
  for (;;) {
    const before = await identities.find(agentId);
    if (before === undefined) throw agentNotFound();
    const after = next(before);
    if (after === undefined) return before;
    if (await identities.replace(before, after)) return after;
  }
}

export function agentNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'Agent not found.', {
    hint: 'Check the agent_id.',
    details: { reason: 'agent_not_found' },
  });
}
