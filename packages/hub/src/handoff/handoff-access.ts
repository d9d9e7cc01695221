import type { AgentRecord } from '../identity/identity.ts';
import type { Handoff } from './lease/handoff.ts';

/** The controller of an agent, where that has agreed to it; a name that the agent merely gave counts for nothing. */
export function controllerOf({ controllerId, controllerProved }: AgentRecord): string | undefined {
  return controllerProved === true ? controllerId : undefined;
}

/** Whether the agent is one of those to whom the task is offered. */
export function mayClaim({ to, controllerId }: Handoff, agent: AgentRecord): boolean {
  if (to.kind === 'agent') return to.agentId === agent.agentId;
  if (controllerId === undefined) return false;
  const belongs = controllerOf(agent) === controllerId || agent.agentId === controllerId;
  return belongs && (to.kind === 'controller' || agent.skills?.includes(to.skill) === true);
}

/** Whether the agent may take the offer back and see who refused it: the one whose task it is, and its controller. */
export function mayManage({ agentId, controllerId }: Handoff, { agentId: caller }: AgentRecord): boolean {
  return caller === agentId || caller === controllerId;
}

/** For all others the hand-off does not exist. */
export function maySee(handoff: Handoff, agent: AgentRecord): boolean {
  return mayManage(handoff, agent) || mayClaim(handoff, agent) || handoff.lease?.agentId === agent.agentId;
}
