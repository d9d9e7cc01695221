import type { JsonObject } from '@holdword/protocol';
import { isObject, ROUTE_KEY, SESSION_ROUTES } from '@holdword/protocol/internal';
import type { OutboundConfig } from '../config.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import type { TargetSignature } from '../state/target-signature.ts';

/** The agents that a request has passed through. */
export interface Route {
  readonly hops: number;
  /** Ids of the installations, in order. */
  readonly origins: readonly string[];
}

const START: Route = { hops: 0, origins: [] };
const MAX_ORIGINS = 32;

/** The route of an outgoing message; throws a RemoteAgentError if it has passed through too many agents. */
export async function nextRoute(
  metadata: JsonObject | undefined,
  sessionKey: string | undefined,
  { signature, config }: { readonly signature: TargetSignature; readonly config: OutboundConfig },
): Promise<Route> {
  const previous = longerRoute(sessionRoute(sessionKey), readRoute(metadata));
  const { maxHops, shareInstallationId } = config.policy;
  return extendRoute(previous, shareInstallationId ? await signature.installationId() : undefined, maxHops);
}

/** The route of the message that a session is answering, as published by the channel plugin that received it. */
export function sessionRoute(sessionKey: string | undefined): Route {
  const shared: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  const found: unknown =
    sessionKey !== undefined && shared instanceof Map ? shared.get(sessionKey.toLowerCase()) : undefined;
  return readRoute({ [ROUTE_KEY]: found });
}

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

/** Adds this installation to a route, by its id if it has one; throws a RemoteAgentError if it exceeds the hop limit. */
export function extendRoute(route: Route, origin: string | undefined, maxHops: number): Route {
  const hops = route.hops + 1;
  const own = origin === undefined ? [] : [origin];
  if (hops <= maxHops) return { hops, origins: [...route.origins, ...own].slice(-MAX_ORIGINS) };
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
