import type { JsonObject } from '@holdword/protocol';
import type { HubMethod } from '../../hub-part.ts';
import type { AgentRecord } from '../../identity/identity.ts';
import { firstText } from '../../read-fields.ts';
import { mayManage } from '../handoff-access.ts';
import { leaseTokenOf, requireHandoff, viewNow, type HandoffDesk } from '../handoff-desk.ts';
import { handoffNotFound } from '../handoff-errors.ts';
import type { Handoff } from '../lease/handoff.ts';
import { giveBack, withRefusal } from '../lease/transitions.ts';
import { changeAsHolder } from '../require-lease.ts';

const LONGEST_REASON = 500;

/** `handoff/release`: the holder gives the task back, who offered it takes it back, others decline. */
export function releaseMethod(desk: HandoffDesk): HubMethod {
  return {
    name: 'handoff/release',
    spec: {
      description:
        'With lease_token: gives a claimed task back. Without it, its agent or controller withdraws the offer, and an agent to whom it is offered declines it.',
      required: ['handoff_id'],
      recommended: ['reason'],
      accepts: ['handoff_id', 'lease_token', 'reason'],
    },
    async handle(params, call) {
      const { agent } = await desk.context.identities.require(call, params);
      const handoff = await requireHandoff(desk, params, agent);
      const reason = firstText(params, ['reason'])?.slice(0, LONGEST_REASON) ?? 'No reason was given.';
      const changed = await release(desk, handoff, agent, params, reason);
      return { ...(await viewNow(desk, changed, agent)) };
    },
  };
}

async function release(
  desk: HandoffDesk,
  handoff: Handoff,
  agent: AgentRecord,
  params: JsonObject,
  reason: string,
): Promise<Handoff> {
  if (leaseTokenOf(params) !== undefined) {
    return changeAsHolder(desk, handoff, agent, params, (current, lease, { now }) =>
      giveBack(current, lease, reason, now),
    );
  }
  const changed = await desk.handoffs.change(handoff.handoffId, (current, { now }) => {
    if (current.closed !== undefined) return undefined;
    if (mayManage(current, agent)) return { ...current, closed: 'withdrawn' };
    return declined(current, agent, reason, now);
  });
  if (changed === undefined) throw handoffNotFound();
  return changed;
}

/** An offer to one agent is over when that one declines; one to several stays open for the others. */
function declined(handoff: Handoff, { agentId }: AgentRecord, reason: string, at: number): Handoff {
  const refused = withRefusal(handoff, { agentId, at, kind: 'declined', reason });
  return handoff.to.kind === 'agent' ? { ...refused, closed: 'declined' } : refused;
}
