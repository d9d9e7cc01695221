import type { JsonObject } from '@holdword/protocol';
import type { Services } from '../services.ts';
import { extendRoute, longerRoute, readRoute, type Route } from './route.ts';
import { sessionRoute } from './session-routes.ts';

/** The way of a message that leaves now; throws a RemoteAgentError when it has come through too many agents. */
export async function nextRoute(
  metadata: JsonObject | undefined,
  sessionKey: string | undefined,
  { signature, config }: Pick<Services, 'signature' | 'config'>,
): Promise<Route> {
  const behind = longerRoute(sessionRoute(sessionKey), readRoute(metadata));
  return extendRoute(behind, await signature.installation(), config.policy.maxHops);
}
