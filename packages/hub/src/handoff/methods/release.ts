import type { JsonObject } from '@holdword/protocol';
import type { AgentRecord } from '../../identity/identity.ts';
import type { HubMethod } from '../../wire/hub-method.ts';
import { firstText } from '../../wire/read-fields.ts';
import { mayManage } from '../handoff-access.ts';
import { handoffNotFound } from '../handoff-errors.ts';
import { type HandoffServices, leaseTokenOf, requireHandoff, viewNow } from '../handoff-services.ts';
import type { Handoff } from '../lease/handoff.ts';
import { release, withRejection } from '../lease/transitions.ts';
import { changeAsHolder } from '../require-lease.ts';

const MAX_REASON_LENGTH = 500;

/** `handoff/release`: the holder releases the lease, the owner withdraws the offer, or an addressee declines it. */
export function releaseMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/release',
    spec: {
      description:
        'With lease_token, releases a claimed task. Without it, the owner of the task or its controller withdraws the offer, and an agent to whom the task is offered declines it.',
      required: ['handoff_id'],
      recommended: ['reason'],
      accepts: ['handoff_id', 'lease_token', 'reason'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      const reason = firstText(params, ['reason'])?.slice(0, MAX_REASON_LENGTH) ?? 'No reason was given.';
      const changed = await releaseHandoff(services, handoff, agent, params, reason);
      return { ...(await viewNow(services, changed, agent)) };
    },
  };
}

async function releaseHandoff(
  services: HandoffServices,
  handoff: Handoff,
  agent: AgentRecord,
  params: JsonObject,
  reason: string,
): Promise<Handoff> {
  if (leaseTokenOf(params) !== undefined) {
    return changeAsHolder(services, handoff, agent, params, (current, lease, { now }) =>
      release(current, lease, reason, now),
    );
  }
  const changed = await services.handoffs.change(handoff.handoffId, (current, { now }) => {
    if (current.closed !== undefined) return undefined;
    if (mayManage(current, agent)) return { ...current, closed: 'withdrawn' };
    return declined(current, agent, reason, now);
  });
  if (changed === undefined) throw handoffNotFound();
  return changed;
}

/** An offer to one agent closes when that agent declines; an offer to several stays open for the others. */
function declined(handoff: Handoff, { agentId }: AgentRecord, reason: string, at: number): Handoff {
  const rejected = withRejection(handoff, { agentId, at, kind: 'declined', reason });
  return handoff.to.kind === 'agent' ? { ...rejected, closed: 'declined' } : rejected;
}
