import type { JsonObject } from '@holdword/protocol';
import { viewNow } from '../handoff/handoff-view.ts';
import { controllerOf, type Identity } from '../identity/identity.ts';
import { describeAgent } from './describe-agent.ts';
import type { FleetServices } from './fleet-services.ts';

export interface FleetPage {
  readonly limit: number;
  /** Id of the last agent on the previous page. */
  readonly after?: string;
}

const HANDOFFS_SHOWN = 50;

/** Reads one page of the agents whose controller has confirmed them, and their open hand-offs. */
export async function readFleet(
  services: FleetServices,
  controller: Identity,
  page: FleetPage,
): Promise<JsonObject> {
  const { agentId: controllerId, agent: viewer } = controller;
  const named = await services.context.identities.ofController(controllerId, page);
  const own = named.filter((agent) => controllerOf(agent) === controllerId);
  const handoffs = await services.handoffs.handoffs.listOpen(`of-controller:${controllerId}`, HANDOFFS_SHOWN);
  return {
    controller_id: controllerId,
    agents: await Promise.all(own.map((agent) => describeAgent(services, agent))),
    next_after: named.length < page.limit ? null : (named.at(-1)?.agentId ?? null),
    open_handoffs: await Promise.all(handoffs.map((handoff) => viewNow(services.handoffs, handoff, viewer))),
  };
}
