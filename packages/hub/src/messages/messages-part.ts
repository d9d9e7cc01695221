import type { HubContext } from '../hub-context.ts';
import type { HubPart } from '../hub-part.ts';

export function messagesPart(_context: HubContext, _parts: readonly HubPart[]): HubPart {
  return {};
}
