import type { JsonObject } from '@holdword/protocol';
import type { Services } from '../services.ts';
import { extendRoute, longerRoute, readRoute, type Route } from './route.ts';
import { sessionRoute } from './session-routes.ts';

/** The route of an outgoing message; throws a RemoteAgentError if it has passed through too many agents. */
export async function nextRoute(
  metadata: JsonObject | undefined,
  sessionKey: string | undefined,
  { signature, config }: Pick<Services, 'signature' | 'config'>,
): Promise<Route> {
  const previous = longerRoute(sessionRoute(sessionKey), readRoute(metadata));
  return extendRoute(previous, await signature.installationId(), config.policy.maxHops);
}
