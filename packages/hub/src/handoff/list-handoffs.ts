import { controllerOf, type AgentRecord } from '../identity/identity.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { maySee, requireHandoff, type HandoffServices } from './handoff-access.ts';
import { viewNow } from './handoff-view.ts';
import type { Handoff } from './handoff.ts';
import type { HandoffScope } from './handoffs.ts';

const MAX_LISTED = 50;

/** `handoff/list`: lists the open hand-offs that concern an agent. */
export function listMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/list',
    spec: {
      description:
        "Lists open hand-offs, newest first: of the caller's tasks, of agents it controls, and those it can claim.",
      required: [],
      accepts: [],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const open = await openHandoffsFor(services, agent);
      return { handoffs: await Promise.all(open.map((handoff) => viewNow(services, handoff, agent))) };
    },
  };
}

async function openHandoffsFor({ handoffs }: HandoffServices, agent: AgentRecord): Promise<Handoff[]> {
  const lists = await Promise.all(scopesOf(agent).map((scope) => handoffs.listOpen(scope, MAX_LISTED)));
  const byId = new Map(lists.flat().map((handoff) => [handoff.handoffId, handoff]));
  return [...byId.values()]
    .filter((handoff) => maySee(handoff, agent))
    .toSorted((left, right) => right.createdAt - left.createdAt)
    .slice(0, MAX_LISTED);
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

/** `handoff/get`: returns one hand-off; its owner and controller also see rejections. */
export function getMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/get',
    spec: {
      description:
        'Returns a hand-off with its status and holder. The owner of the task and its controller also see who rejected it and why.',
      required: ['handoff_id'],
      accepts: ['handoff_id'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      return viewNow(services, await requireHandoff(services, params, agent), agent);
    },
  };
}
