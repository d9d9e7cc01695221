import { isObject, ROUTE_KEY } from '@holdword/protocol/internal';
import { RemoteAgentError } from '../results/remote-agent-error.ts';

/** The agents that a request has passed through. */
export interface Route {
  readonly hops: number;
  /** Ids of the installations, in order. */
  readonly origins: readonly string[];
}

const START: Route = { hops: 0, origins: [] };
const MAX_ORIGINS = 32;

/** Reads the route from a message's metadata; invalid or missing metadata is an empty route. */
export function readRoute(metadata: unknown): Route {
  const value = isObject(metadata) ? metadata[ROUTE_KEY] : undefined;
  if (!isObject(value)) return START;
  const { hops, origins } = value;
  const chain = Array.isArray(origins) ? origins.filter((each) => typeof each === 'string') : [];
  const count = typeof hops === 'number' && Number.isSafeInteger(hops) && hops >= 0 ? hops : 0;
  return { hops: Math.max(count, chain.length), origins: chain.slice(-MAX_ORIGINS) };
}

/** The longer of two routes. */
export function longerRoute(left: Route, right: Route): Route {
  return right.hops > left.hops ? right : left;
}

/** Adds this installation to a route; throws a RemoteAgentError if it exceeds the hop limit. */
export function extendRoute(route: Route, origin: string, maxHops: number): Route {
  const hops = route.hops + 1;
  if (hops <= maxHops) return { hops, origins: [...route.origins, origin].slice(-MAX_ORIGINS) };
  const visits = route.origins.filter((each) => each === origin).length;
  throw new RemoteAgentError(
    'TARGET_RESOLUTION_ERROR',
    `Hop limit reached: this request has passed through ${route.hops} agents (policy.maxHops: ${maxHops}). Agents may be calling each other in a loop.`,
    {
      reason: 'hop_limit_reached',
      hops: route.hops,
      max_hops: maxHops,
      visits_here: visits,
      hint: 'Do not forward the request. Answer with what you have, or tell the user.',
    },
  );
}
