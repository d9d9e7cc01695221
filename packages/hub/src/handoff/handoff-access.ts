import type { JsonObject } from '@holdword/protocol';
import { isSecretOf } from '@holdword/runtime/internal';
import type { HubContext } from '../hub-part.ts';
import { controllerOf, type AgentRecord } from '../identity/identity.ts';
import { HubError, invalidParameter } from '../wire/hub-error.ts';
import { firstText } from '../wire/read-fields.ts';
import type { HubEvent, HubRequestContext } from '../wire/request-context.ts';
import { holderOf, type Handoff, type Lease, type Moment } from './handoff.ts';
import type { Handoffs } from './handoffs.ts';

/** What the hand-off methods share. */
export interface HandoffServices {
  readonly context: HubContext;
  readonly handoffs: Handoffs;
}

/** Writes a change of a hand-off to the audit log. */
export function recordHandoff(
  { context }: HandoffServices,
  requestContext: HubRequestContext,
  event: HubEvent,
  { handoffId, taskId }: Handoff,
  { agentId }: AgentRecord,
): void {
  context.recordAction(requestContext, event, agentId, { handoff: handoffId, task: taskId });
}

/** Finds the hand-off that a request names. Throws if the agent cannot see it. */
export async function requireHandoff(
  { handoffs }: HandoffServices,
  params: JsonObject,
  agent: AgentRecord,
): Promise<Handoff> {
  const handoffId = handoffIdOf(params);
  if (handoffId === undefined)
    throw invalidParameter('handoff_id', 'the id of a hand-off', params['handoff_id']);
  const handoff = await handoffs.find(handoffId);
  if (handoff === undefined || !maySee(handoff, agent)) throw handoffNotFound();
  return handoff;
}

export function handoffIdOf(params: JsonObject): string | undefined {
  return firstText(params, ['handoff_id', 'handoffId']);
}

export function leaseTokenOf(params: JsonObject): string | undefined {
  return firstText(params, ['lease_token', 'leaseToken']);
}

/** Changes a hand-off on behalf of the agent that holds its lease. Throws without a valid lease token. */
export async function changeAsHolder(
  { handoffs }: HandoffServices,
  { handoffId }: Handoff,
  agent: AgentRecord,
  params: JsonObject,
  change: (handoff: Handoff, lease: Lease, moment: Moment) => Handoff,
): Promise<Handoff> {
  const changed = await handoffs.change(handoffId, (current, moment) => {
    const lease = holderOf(current, moment.task, moment.now);
    if (lease === undefined || !isLeaseOf(lease, agent, params)) throw leaseLost();
    return change(current, lease, moment);
  });
  if (changed === undefined) throw handoffNotFound();
  return changed;
}

/** Whether the agent holds the lease and the request carries its token. */
export function isLeaseOf(
  lease: Lease | undefined,
  { agentId }: AgentRecord,
  params: JsonObject,
): lease is Lease {
  const token = leaseTokenOf(params);
  return lease?.agentId === agentId && token !== undefined && isSecretOf(token, lease.tokenHash);
}

/** Whether the task is offered to the agent. The owner of the task cannot be its own successor. */
export function mayClaim({ to, controllerId, agentId }: Handoff, agent: AgentRecord): boolean {
  if (agent.agentId === agentId) return false;
  if (to.kind === 'agent') return to.agentId === agent.agentId;
  if (controllerId === undefined) return false;
  const belongs = controllerOf(agent) === controllerId || agent.agentId === controllerId;
  return belongs && (to.kind === 'controller' || agent.skills?.includes(to.skill) === true);
}

/** Whether the agent can withdraw the offer and see its rejections: the owner of the task and the owner's controller. */
export function mayManage({ agentId, controllerId }: Handoff, { agentId: caller }: AgentRecord): boolean {
  return caller === agentId || caller === controllerId;
}

/** Whether the agent can see the hand-off; for all others it does not exist. */
export function maySee(handoff: Handoff, agent: AgentRecord): boolean {
  return mayManage(handoff, agent) || mayClaim(handoff, agent) || handoff.lease?.agentId === agent.agentId;
}

/** An invisible hand-off and a nonexistent one cause the same error. */
export function handoffNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'Hand-off not found.', {
    hint: 'Call handoff/list to see the hand-offs that are visible to this agent.',
    details: { reason: 'handoff_not_found' },
  });
}

export function leaseLost(): HubError {
  return handoffError('lease_lost', 'The lease_token is missing or no longer valid.', {
    hint: 'Claim the hand-off again with handoff/claim. If that is rejected, another agent has taken over the task.',
  });
}

export function handoffError(
  reason: string,
  message: string,
  more: { hint: string; details?: JsonObject },
): HubError {
  return new HubError('DELX-A2A-1099', message, { hint: more.hint, details: { reason, ...more.details } });
}
