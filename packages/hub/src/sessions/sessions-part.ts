import type { HubContext } from '../hub-context.ts';
import type { HubPart } from '../hub-part.ts';
import { statusRoute } from './status-route.ts';

export function sessionsPart(context: HubContext): HubPart {
  return { routes: [statusRoute(context)] };
}
