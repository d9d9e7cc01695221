/**
 * What a hand-off means for the agent whose task it is: while a successor holds the lease, the owner reads the task but does
 * not drive it, and it is told in its answers what was given away while it was gone.
 */
import type { JsonObject } from '@holdword/protocol';
import type { AgentRecord } from '../identity/identity.ts';
import type { HubError } from '../wire/hub-error.ts';
import { isoTime } from '../wire/times.ts';
import { handoffError, type HandoffServices } from './handoff-access.ts';
import { viewNow } from './handoff-view.ts';
import { holderOf, isLive, type Handoff, type Lease } from './handoff.ts';

/** Rejects a message or cancellation by the owner of a task while a successor holds it. */
export async function requireNoSuccessor(
  { handoffs, context }: HandoffServices,
  taskId: string,
  agentId: string,
): Promise<void> {
  const handoff = await handoffs.ofTask(taskId);
  // To others the task does not exist, and so they are told.
  if (handoff?.agentId !== agentId) return;
  const lease = holderOf(handoff, await handoffs.momentOf(handoff), context.now());
  if (lease !== undefined) throw handedOver(handoff, lease);
}

function handedOver({ handoffId, taskId }: Handoff, { agentId, until }: Lease): HubError {
  const leaseUntil = isoTime(until);
  return handoffError('handed_over', `The task was handed over: ${agentId} holds it until ${leaseUntil}.`, {
    hint: `Wait until ${agentId} has finished it, or take it back: call handoff/release with this handoff_id.`,
    details: {
      handoff_id: handoffId,
      task_id: taskId,
      held_by: agentId,
      lease_until: leaseUntil,
      take_back: takeBack(handoffId),
    },
  });
}

/** How the owner gets a task back: without a lease token it withdraws the offer, which also ends the lease. */
function takeBack(handoffId: string): JsonObject {
  return { method: 'handoff/release', params: { handoff_id: handoffId } };
}

const MAX_SHOWN = 20;

/**
 * The field `handed_over` of an answer: the agent's tasks that others offered or claimed. One that is over is shown in one
 * answer, the others in every one.
 */
export async function handedOverField(services: HandoffServices, agent: AgentRecord): Promise<JsonObject> {
  const { handoffs, context } = services;
  const given = await handoffs.listGivenAway(agent.agentId, MAX_SHOWN);
  if (given.length === 0) return {};
  const shown = given.map(async (handoff) => {
    const live = isLive(handoff, await handoffs.momentOf(handoff), context.now());
    if (!live) await handoffs.forgetGivenAway(handoff);
    const { handoff_id, task_id, continued_as, status, offered_by, lease } = await viewNow(
      services,
      handoff,
      agent,
    );
    return {
      handoff_id,
      task_id,
      continued_as,
      status,
      offered_by,
      lease,
      take_back: live ? takeBack(handoff.handoffId) : null,
    };
  });
  return { handed_over: await Promise.all(shown) };
}
