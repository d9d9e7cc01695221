import type { HubMethod } from '../../hub-part.ts';
import type { AgentRecord } from '../../identity/identity.ts';
import { controllerOf, maySee } from '../handoff-access.ts';
import { viewNow, type HandoffDesk } from '../handoff-desk.ts';
import type { Handoff } from '../lease/handoff.ts';
import type { HandoffScope } from '../lease/handoffs.ts';

const MOST_LISTED = 50;

/** `handoff/list`: the open hand-offs that an agent has to do with. */
export function listMethod(desk: HandoffDesk): HubMethod {
  return {
    name: 'handoff/list',
    spec: {
      description:
        'Lists open hand-offs, newest first: of own tasks, of agents one controls, and those one may claim.',
      required: [],
      accepts: [],
    },
    async handle(params, call) {
      const { agent } = await desk.context.identities.require(call, params);
      const open = await openHandoffsFor(desk, agent);
      return { handoffs: await Promise.all(open.map((handoff) => viewNow(desk, handoff, agent))) };
    },
  };
}

async function openHandoffsFor({ handoffs }: HandoffDesk, agent: AgentRecord): Promise<Handoff[]> {
  const lists = await Promise.all(scopesOf(agent).map((scope) => handoffs.listOpen(scope, MOST_LISTED)));
  const byId = new Map(lists.flat().map((handoff) => [handoff.handoffId, handoff]));
  return [...byId.values()]
    .filter((handoff) => maySee(handoff, agent))
    .toSorted((left, right) => right.createdAt - left.createdAt)
    .slice(0, MOST_LISTED);
}

function scopesOf(agent: AgentRecord): HandoffScope[] {
  const { agentId } = agent;
  const controllerId = controllerOf(agent);
  return [
    `of-agent:${agentId}`,
    `to-agent:${agentId}`,
    `of-controller:${agentId}`,
    ...(controllerId === undefined || controllerId === agentId
      ? []
      : [`of-controller:${controllerId}` as const]),
  ];
}
