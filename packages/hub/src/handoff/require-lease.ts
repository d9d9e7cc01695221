import type { JsonObject } from '@holdword/protocol';
import { isSecretOf } from '@holdword/runtime/internal';
import type { AgentRecord } from '../identity/identity.ts';
import { leaseTokenOf, type HandoffServices } from './handoff-services.ts';
import { handoffNotFound, leaseLost } from './handoff-errors.ts';
import { holderOf, type Handoff, type Lease } from './lease/handoff.ts';
import type { Moment } from './lease/transitions.ts';

/** Changes a hand-off on behalf of the agent that holds its lease. Throws without a valid lease token. */
export async function changeAsHolder(
  { handoffs }: HandoffServices,
  { handoffId }: Handoff,
  agent: AgentRecord,
  params: JsonObject,
  change: (handoff: Handoff, lease: Lease, moment: Moment) => Handoff,
): Promise<Handoff> {
  const changed = await handoffs.change(handoffId, (current, moment) => {
    const lease = current.closed === undefined ? holderOf(current, moment.task, moment.now) : undefined;
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
