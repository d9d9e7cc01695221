import { controllerOf, type AgentRecord } from '../identity/identity.ts';
import type { Handoff } from './lease/handoff.ts';

/** Whether the task is offered to the agent. */
export function mayClaim({ to, controllerId }: Handoff, agent: AgentRecord): boolean {
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
