import type { HubPart } from '../hub-part.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubMethod, HubRoute } from '../wire/hub-method.ts';
import type { FleetServices } from './fleet-services.ts';
import { type FleetPage, readFleet } from './read-fleet.ts';

const DEFAULT_LIMIT = 50;
const MAX_AGENTS = 100;

/** Fleet: shows a controller the sessions, health and open hand-offs of its own agents. */
export function fleetPart(services: FleetServices): HubPart {
  return { methods: [statusMethod(services)], routes: [statusRoute(services)] };
}

function statusMethod(services: FleetServices): HubMethod {
  return {
    name: 'fleet/status',
    spec: {
      description:
        'Shows the agents controlled by the caller: sessions, health, open tasks and open hand-offs.',
      required: [],
      accepts: ['limit', 'after'],
    },
    async handle(params, requestContext) {
      const controller = await services.context.identities.require(requestContext, params);
      return readFleet(services, controller, readPage(params['limit'], params['after']));
    },
  };
}

function statusRoute(services: FleetServices): HubRoute {
  return {
    verb: 'GET',
    path: HUB_PATHS.fleet,
    description: 'The agents controlled by the caller and their open hand-offs. Send the identity headers.',
    query: {
      limit: `Maximum number of agents, up to ${MAX_AGENTS}. Default: ${DEFAULT_LIMIT}.`,
      after: 'next_after of the previous page.',
    },
    async answer({ requestContext, query }) {
      const controller = await services.context.identities.require(requestContext, {});
      const limit = query.get('limit');
      const page = readPage(limit === null ? undefined : Number(limit), query.get('after'));
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: await readFleet(services, controller, page),
      };
    },
  };
}

function readPage(limit: unknown, after: unknown): FleetPage {
  const chosen = limit ?? DEFAULT_LIMIT;
  if (typeof chosen !== 'number' || !Number.isInteger(chosen) || chosen < 1 || chosen > MAX_AGENTS) {
    const hint = 'Omit limit, or use a smaller one and page with after.';
    throw invalidParameter('limit', `an integer from 1 to ${MAX_AGENTS}`, limit, hint);
  }
  return { limit: chosen, ...(typeof after === 'string' && after !== '' && { after }) };
}
