import { isObject, ROUTE_KEY } from '@holdword/protocol';
import { RemoteAgentError } from '../results/remote-agent-error.ts';

/** The agents that a request has passed on its way. */
export interface Route {
  readonly hops: number;
  /** Names of the installations, the first one began it. */
  readonly origins: readonly string[];
}

const START: Route = { hops: 0, origins: [] };
const LONGEST_CHAIN = 32;

/** Reads what a message says of its way; anything else is the beginning of one. */
export function readRoute(metadata: unknown): Route {
  const value = isObject(metadata) ? metadata[ROUTE_KEY] : undefined;
  if (!isObject(value)) return START;
  const { hops, origins } = value;
  const chain = Array.isArray(origins) ? origins.filter((each) => typeof each === 'string') : [];
  const count = typeof hops === 'number' && Number.isSafeInteger(hops) && hops >= 0 ? hops : 0;
  return { hops: Math.max(count, chain.length), origins: chain.slice(-LONGEST_CHAIN) };
}

/** The longer one of two ways on which the same request may have come. */
export function longerRoute(left: Route, right: Route): Route {
  return right.hops > left.hops ? right : left;
}

/** The way after this installation; throws a RemoteAgentError when it is too long. */
export function extendRoute(route: Route, origin: string, maxHops: number): Route {
  const hops = route.hops + 1;
  if (hops <= maxHops) return { hops, origins: [...route.origins, origin].slice(-LONGEST_CHAIN) };
  const visits = route.origins.filter((each) => each === origin).length;
  throw new RemoteAgentError(
    'TARGET_RESOLUTION_ERROR',
    `This request has passed ${route.hops} agents, and policy.maxHops allows ${maxHops}: agents may be calling each other in a circle.`,
    {
      reason: 'hop_limit_reached',
      hops: route.hops,
      max_hops: maxHops,
      visits_here: visits,
      hint: 'Do not send it on. Answer with what you have, or tell the user.',
    },
  );
}
