import type { JsonObject } from '@holdword/protocol';
import type { Owner } from '@holdword/runtime';
import { ownerOfAgent, type AgentRecord } from '../identity/identity.ts';
import { handoffIdOf, requireHandoff, type HandoffServices } from './handoff-services.ts';
import { leaseLost } from './handoff-errors.ts';
import { holderOf } from './lease/handoff.ts';
import { isLeaseOf } from './require-lease.ts';

/** The owner of a handed-over task, for the agent that holds it or held it when it finished. */
export async function ownerOfHandedTask(
  services: HandoffServices,
  wantedId: string,
  params: JsonObject,
  agent: AgentRecord,
): Promise<Owner | undefined> {
  if (handoffIdOf(params) === undefined) return undefined;
  const handoff = await requireHandoff(services, params, agent);
  const { taskId, continuedAs, lease, agentId } = handoff;
  const moment = await services.handoffs.momentOf(handoff);
  const isDone = moment.isDone && !moment.isSuperseded;
  const holds = isDone || holderOf(handoff, moment, services.context.now()) !== undefined;
  if (!holds || handoff.closed !== undefined || !isLeaseOf(lease, agent, params)) throw leaseLost();
  return wantedId === taskId || wantedId === continuedAs ? ownerOfAgent(agentId) : undefined;
}
