import type { JsonObject } from '@holdword/protocol';
import { controllerOf, type AgentRecord } from '../identity/identity.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { mayClaim, requireHandoff, type HandoffServices } from './handoff-access.ts';
import { viewNow } from './handoff-view.ts';
import { holderOf, type Handoff, type Moment } from './handoff.ts';
import { skillScope, type HandoffQuery, type HandoffScope } from './handoffs.ts';

const DEFAULT_LIMIT = 50;
const MAX_LISTED = 100;

/** `handoff/list`: lists the open hand-offs that concern an agent. */
export function listMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/list',
    spec: {
      description:
        "Lists open hand-offs, newest first: of the caller's tasks, of agents it controls, and those offered to it. filter is one of all, claimable, held and own; next_cursor leads to the next page.",
      required: [],
      accepts: ['filter', 'limit', 'cursor'],
    },
    async handle(params, requestContext) {
      const query = { limit: readLimit(params), after: readCursor(params) };
      const filter = readFilter(params);
      const { agent } = await services.context.identities.require(requestContext, params);
      const accepts: HandoffQuery['accepts'] = (handoff, moment) => FILTERS[filter](handoff, moment, agent);
      const { handoffs, next } = await services.handoffs.listOpen(scopesOf(agent), { ...query, accepts });
      return {
        handoffs: await Promise.all(handoffs.map((handoff) => viewNow(services, handoff, agent))),
        next_cursor: next ?? null,
      };
    },
  };
}

/** Which of the hand-offs that concern an agent are listed. */
const FILTERS = {
  all: () => true,
  claimable: (handoff: Handoff, { task, now }: Moment, agent: AgentRecord) =>
    mayClaim(handoff, agent) && holderOf(handoff, task, now) === undefined,
  held: (handoff: Handoff, { task, now }: Moment, { agentId }: AgentRecord) =>
    holderOf(handoff, task, now)?.agentId === agentId,
  own: (handoff: Handoff, _moment: Moment, { agentId }: AgentRecord) => handoff.agentId === agentId,
};

function readFilter({ filter }: JsonObject): keyof typeof FILTERS {
  const name = filter ?? 'all';
  if (name === 'all' || name === 'claimable' || name === 'held' || name === 'own') return name;
  throw invalidParameter('filter', 'one of all, claimable, held and own', filter);
}

function readLimit({ limit }: JsonObject): number {
  const chosen = limit ?? DEFAULT_LIMIT;
  if (typeof chosen === 'number' && Number.isInteger(chosen) && chosen >= 1 && chosen <= MAX_LISTED)
    return chosen;
  throw invalidParameter('limit', `an integer from 1 to ${MAX_LISTED}`, limit);
}

/** A cursor is a position in the list of open hand-offs. It opens nothing: each page has what its reader may see. */
function readCursor({ cursor }: JsonObject): string | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor === 'string' && /^\d{15}\/[0-9a-f-]{36}$/.test(cursor)) return cursor;
  throw invalidParameter('cursor', 'next_cursor of the previous page', cursor);
}

/** Only what concerns the agent: offers to others must not push those that it can claim off the page. */
function scopesOf(agent: AgentRecord): HandoffScope[] {
  const { agentId, skills = [] } = agent;
  const controllerId = controllerOf(agent);
  return [
    `of-agent:${agentId}`,
    `to-agent:${agentId}`,
    `of-controller:${agentId}`,
    ...(controllerId === undefined
      ? []
      : [
          `to-controller:${controllerId}` as const,
          ...skills.map((skill) => skillScope(controllerId, skill)),
        ]),
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
