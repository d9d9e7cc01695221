import type { HubContext } from '../hub-context.ts';
import type { HubPart } from '../hub-part.ts';
import { agentsRegister } from './agents-register.ts';

export function identityPart(context: HubContext): HubPart {
  return { methods: [agentsRegister(context)] };
}
